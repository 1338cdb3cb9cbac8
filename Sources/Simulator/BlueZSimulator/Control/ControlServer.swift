import BlueZDBus
import BlueZUnixSockets

/// The simulator's control channel, through which tests control simulated peripherals with JSON lines over a Unix
/// stream socket.
///
/// A request is one line such as `{"id":1,"do":"disconnect","peer":"tag"}`. Its response is one line such as
/// `{"id":1,"ok":true}` or `{"id":1,"ok":false,"error":"..."}`. A connection's requests are performed in order. A
/// connection beyond 64 is refused with an error. The verbs are capabilities, reset, advertise, disconnect, vanish,
/// return, notify, set, fail, delay, add-service, remove-service, pairing, pairing-state, enter-passkey, forget and
/// log. A central has its own: central-advertisements, central-connect, central-disconnect, central-vanish,
/// central-discover, central-read, central-write, central-prepare, central-subscribe, central-values, central-confirm, central-pair and central-state.
@SimulatorActor public final class ControlServer {
    /// A simulated peripheral with the name that requests use.
    public struct Peer: Sendable {
        let name: String
        let peripheral: SimulatedPeripheral

        /// Creates a peer from a peripheral.
        public init(_ name: String, _ peripheral: SimulatedPeripheral) {
            self.name = name
            self.peripheral = peripheral
        }
    }

    /// The socket's path, for clients.
    public nonisolated let path: String

    /// Called with a message if no connection can be accepted now, because the process has no descriptor left.
    public var warningHandler: (@SimulatorActor (String) -> Void)?

    /// The maximum number of open connections.
    nonisolated static let connectionLimit = 64
    /// The pause after a connection could not be accepted.
    var acceptPause = Duration.seconds(1)

    private var hasWarned = false
    private var pause: EventLoop.Token?
    private var listener: UnixListener?
    private var source: EventLoop.Token?
    private var connections: [ControlConnection] = []
    private let control: PeripheralControl

    /// Creates a server, which listens.
    ///
    /// - Parameters:
    ///   - path: the path of the socket; nil creates a private directory for it. Only this user can connect (mode 0600).
    ///   - peers: the peripherals, by name.
    ///   - central: the central of the verbs that begin with "central-".
    /// - Throws: `DBusError` if the socket cannot be created.
    public init(at path: String? = nil, peers: [Peer], central: SimulatedCentral? = nil) throws {
        let listener = if let path { try UnixListener(path: path) } else { try UnixListener() }
        self.listener = listener
        self.path = listener.path
        control = PeripheralControl(peers: peers, central: central)
        source = SimulatorActor.loop.addSource(descriptor: listener.descriptor.rawValue, events: .readable) {
            [weak self] _ in SimulatorActor.assumeIsolated { self?.accept() }
        }
    }

    isolated deinit { close() }

    /// Stops listening, removes the socket, and ends all connections. Further calls do nothing.
    public func close() {
        if let source { SimulatorActor.loop.removeSource(source) }
        if let pause { SimulatorActor.loop.cancelScheduled(pause) }
        source = nil
        pause = nil
        listener = nil
        for connection in connections { connection.close() }
        connections.removeAll()
    }

    private func accept() {
        do throws(DBusError) {
            while let socket = try listener?.accept() {
                hasWarned = false
                let connection = ControlConnection(socket, control: control) { [weak self] connection in
                    self?.connections.removeAll { $0 === connection }
                }
                connections.append(connection)
                if connections.count > Self.connectionLimit {
                    connection.refuse("\(Self.connectionLimit) connections are open; close one of them first")
                }
            }
        } catch {
            if !hasWarned {
                warningHandler?("No connection can be accepted; trying again each second: \(error.message)")
            }
            hasWarned = true
            stopAccepting()
        }
    }

    /// The listener stays readable while a connection waits.
    private func stopAccepting() {
        watch([])
        pause = SimulatorActor.loop.schedule(after: acceptPause) { [weak self] in
            SimulatorActor.assumeIsolated { self?.watch(.readable) }
        }
    }

    private func watch(_ events: PollEvents) {
        guard let source, let listener else { return }
        SimulatorActor.loop.updateSource(source, descriptor: listener.descriptor.rawValue, events: events)
    }
}
