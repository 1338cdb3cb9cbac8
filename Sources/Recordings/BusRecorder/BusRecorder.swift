import BlueZClient
import BlueZDBus
import BlueZRecording
import BlueZUnixSockets

/// A socket in front of a message bus, through which programs use the bus as before. What they and bluetoothd say to each
/// other becomes events.
///
/// Each client gets a connection of its own to the bus. The bus sees the clients themselves, except that their process
/// is this one: names, owners, match rules and agents are theirs.
@BluetoothActor package final class BusRecorder {
    /// The socket's D-Bus address, for `DBUS_SYSTEM_BUS_ADDRESS` of programs. Only this user can connect.
    package nonisolated let address: String

    /// Called if clients can't be served: the process has no descriptors left, or the bus can't be reached.
    package var failureHandler: ((DBusError) -> Void)?

    private let bus: ServerAddress
    private let passed = PassedMessages()
    private let log: EventLog
    private let daemon: DaemonMirror
    private let sockets = SplicedSockets()
    private var listener: UnixListener?
    private var watch: DescriptorWatch?
    private var pause: ScheduledCall?
    private var clients: [Int: RelayedClient] = [:]
    private var clientCount = 0
    private var finishing: (completion: () -> Void, timer: ScheduledCall)?

    /// The pause after a client could not be accepted.
    private static let acceptPause = Duration.seconds(1)
    /// How long `finish` waits for the clients: their last messages are there already.
    private static let lingering = Duration.milliseconds(500)

    /// Creates the socket, in a private directory.
    ///
    /// - Parameters:
    ///   - bus: the bus, by a Unix socket.
    ///   - event: called with each event, in order.
    /// - Throws: `DBusError` if the address is malformed or names no Unix socket, or the socket can't be created.
    package init(bus: ServerAddress, event: @escaping (RecordedEvent) -> Void) throws(DBusError) {
        // The program's own address may be the same variable that is set for its clients.
        self.bus = .address(bus.description)
        _ = try bus.unixSocketList()
        let listener = try UnixListener()
        self.listener = listener
        address = ServerAddress.socket(at: listener.path).description
        log = EventLog(passed, write: event)
        daemon = DaemonMirror(log)
        watch = DescriptorWatch(listener.descriptor) { [weak self] in self?.accept() }
        watch?.wait(for: .readable)
    }

    isolated deinit { close() }

    /// Ends the recording when the clients that have ended are read to their end, but soon in any case.
    ///
    /// - Parameter completion: called then.
    package func finish(_ completion: @escaping () -> Void) {
        accept()
        guard !clients.isEmpty else {
            close()
            return completion()
        }
        let timer = BluetoothActor.after(Self.lingering) { [weak self] in self?.finishNow() }
        finishing = (completion, timer)
    }

    /// Ends all connections. The last event has been reported then.
    package func close() {
        guard listener != nil else { return }
        pause?.cancel()
        watch?.cancel()
        watch = nil
        listener = nil
        for client in clients.sorted(by: { $0.key < $1.key }) { client.value.close() }
        clients = [:]
        sockets.close()
        readAll()
        log.release()
    }

    /// Reports the events of everything that has passed.
    package func readAll() { passed.readAll() }

    private func finishNow() {
        guard let (completion, timer) = finishing.take() else { return }
        timer.cancel()
        close()
        completion()
    }

    private func accept() {
        guard let listener else { return }
        do throws(DBusError) {
            while let socket = try listener.accept() { connect(socket) }
            watch?.wait(for: .readable)
        } catch {
            failureHandler?(error)
            pause?.cancel()
            pause = BluetoothActor.after(Self.acceptPause) { [weak self] in self?.accept() }
        }
    }

    /// Connects a client to the bus. If that fails, the client sees the end of its connection.
    private func connect(_ socket: StreamSocket) {
        do throws(DBusError) {
            let upstream = try StreamSocket(connectedTo: bus)
            clientCount += 1
            let number = clientCount
            let reader = ClientReader(number: number, daemon, sockets)
            clients[number] = RelayedClient(socket, to: upstream, passed, reader: reader) { [weak self] in
                self?.left(number)
            }
        } catch {
            failureHandler?(error)
            log.addNote("bus", "The bus can't be reached: \(error.message)")
        }
    }

    private func left(_ number: Int) {
        clients[number] = nil
        if clients.isEmpty { finishNow() }
    }
}
