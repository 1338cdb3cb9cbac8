import BlueZDBus
import BlueZScript
import BlueZUnixSockets
import CoreBlueZ
import FoundationEssentials

/// `--tcp`: the device as a TCP port of this machine, for one client at a time.
@BluetoothActor final class SerialServer: SerialEndpoint {
    /// How long a client that sends nothing more still gets the device's data.
    private static let lingering = Duration.seconds(1)
    /// The pause after a client could not be accepted.
    private static let acceptPause = Duration.seconds(1)
    /// How many refused clients may stay connected until they have read the reason.
    private static let refusedLimit = 8

    private let listener: LoopbackListener
    private let link: SerialLink
    private let messages: SerialMessages
    private var watch: DescriptorWatch?
    private var client: ByteBridge?
    private var hasEnded = false
    /// Runs while the client sends nothing more and everything is sent.
    private var linger: Task<Void, Never>?
    private var isNextWaiting = false
    private var pause: ScheduledCall?
    private var hasWarned = false
    private var refused: [ObjectIdentifier: ByteBridge] = [:]

    var place: String? { listener.address.description }

    init(_ address: LoopbackAddress, _ link: SerialLink, _ messages: SerialMessages) throws {
        do throws(DBusError) {
            listener = try LoopbackListener(address)
        } catch {
            throw CommandFailure(.cannotCreate, "The port cannot be opened: \(error.message)")
        }
        self.link = link
        self.messages = messages
    }

    func start() {
        link.receiveHandler = { [weak self] in self?.received($0) }
        link.spaceHandler = { [weak self] in self?.hasSpace() }
        watch = DescriptorWatch(listener.descriptor) { [weak self] in self?.accept() }
        watch?.wait(for: .readable)
    }

    /// Ends it, and the client's connection.
    func close() {
        linger?.cancel()
        pause?.cancel()
        watch?.cancel()
        watch = nil
        client?.close()
        client = nil
        for bridge in refused.values { bridge.close() }
        refused = [:]
    }

    /// If the current client only waits for a reply, the next client waits until it leaves.
    private func accept() {
        isNextWaiting = linger != nil
        guard !isNextWaiting else { return }
        do throws(DBusError) {
            while let socket = try listener.accept() {
                hasWarned = false
                if client == nil { admit(socket) } else { refuse(socket) }
            }
            watch?.wait(for: .readable)
        } catch {
            if !hasWarned { messages.report("No client can be accepted; trying again every second: \(error.message)") }
            hasWarned = true
            pause?.cancel()
            pause = BluetoothActor.after(Self.acceptPause) { [weak self] in self?.accept() }
        }
    }

    // MARK: The client

    private func admit(_ socket: StreamSocket) {
        let bridge = ByteBridge(socket)
        client = bridge
        hasEnded = false
        bridge.hasRoom = { [link] in link.hasRoom }
        bridge.receiveHandler = { [messages, link] bytes in
            messages.sent(bytes)
            link.send(bytes)
        }
        bridge.endHandler = { [weak self] in self?.clientEnded() }
        bridge.closedHandler = { [weak self] in self?.leave() }
        bridge.dropHandler = { [messages] count in messages.report("\(count) bytes were dropped: they were not read") }
        bridge.resume()
        messages.report("A client has connected to \(listener.address)")
    }

    /// Handles the end of the client's data. The client may still wait for a reply.
    private func clientEnded() {
        hasEnded = true
        lingerOn()
    }

    private func lingerOn() {
        if isNextWaiting, linger != nil { return }
        linger?.cancel()
        linger = nil
        guard client != nil, hasEnded, link.isIdle else { return }
        linger = Task { [weak self] in
            guard (try? await BluetoothActor.sleep(for: Self.lingering)) != nil else { return }
            self?.leave()
        }
    }

    private func leave() {
        guard let client else { return }
        linger?.cancel()
        linger = nil
        client.close()
        self.client = nil
        messages.report("The client has disconnected from \(listener.address)")
        accept()
    }

    private func received(_ bytes: Data) {
        messages.received(bytes)
        client?.write(bytes)
        lingerOn()
    }

    private func hasSpace() {
        if !hasEnded { client?.resume() }
        lingerOn()
    }

    // MARK: Others

    private func refuse(_ socket: StreamSocket) {
        messages.report("A second client was refused at \(listener.address)")
        guard refused.count < Self.refusedLimit else { return }
        let bridge = ByteBridge(socket)
        let key = ObjectIdentifier(bridge)
        refused[key] = bridge
        // The client's bytes are read, because closing would otherwise discard the message to it.
        let leave: @BluetoothActor () -> Void = { [weak self] in self?.refused.removeValue(forKey: key)?.close() }
        bridge.endHandler = leave
        bridge.closedHandler = leave
        bridge.resume()
        bridge.write(Data("gatt: this serial port is in use by another client\r\n".utf8))
        socket.shutDownSending()
        Task {
            try? await BluetoothActor.sleep(for: .seconds(2))
            leave()
        }
    }
}
