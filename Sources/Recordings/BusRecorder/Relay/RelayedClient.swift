import BlueZClient
import BlueZDBus

/// A client of the bus, with a connection of its own to the real bus. All bytes and descriptors pass unchanged in both
/// directions, except for the descriptors that `replacing` exchanges.
@BluetoothActor final class RelayedClient {
    /// An object that reads the messages of both directions.
    @BluetoothActor protocol Reader: AnyObject {
        /// A message passes.
        func read(_ message: Message, from side: MessageSplitter.Side)
        /// A message of the bus with descriptors is about to pass. Returns those that the client gets.
        func replaceDescriptors(of message: Message) -> [UnixFileDescriptor]
        /// The connection is closed.
        func end()
    }

    private let client: StreamSocket
    private let bus: StreamSocket
    private let calls: RelayDirection
    private let replies: RelayDirection
    private let reader: any Reader
    private let passed: PassedMessages
    private var polledClient: PolledSocket?
    private var polledBus: PolledSocket?
    /// Whether the end of the calls has been passed on.
    private var hasShutDown = false
    /// Called once when the connection is closed, but not by `close`.
    private var closedHandler: (() -> Void)?

    init(
        _ client: StreamSocket, to bus: StreamSocket, _ passed: PassedMessages, reader: any Reader,
        closed: @escaping () -> Void
    ) {
        self.client = client
        self.bus = bus
        self.reader = reader
        self.passed = passed
        closedHandler = closed
        calls = RelayDirection(
            .client, from: client, to: bus, passed,
            message: { reader.read($0, from: .client) },
            descriptors: { $0.receivedDescriptors })
        replies = RelayDirection(
            .bus, from: bus, to: client, passed,
            message: { reader.read($0, from: .bus) },
            descriptors: { reader.replaceDescriptors(of: $0) })
        polledClient = PolledSocket(client.descriptor) { [weak self] in self?.clientIsReady($0) }
        polledBus = PolledSocket(bus.descriptor) { [weak self] in self?.busIsReady($0) }
        proceed()
    }

    isolated deinit { close() }

    /// Ends both connections.
    func close() {
        guard let polledClient else { return }
        polledClient.cancel()
        polledBus?.cancel()
        self.polledClient = nil
        polledBus = nil
        client.shutDown()
        bus.shutDown()
        passed.readAll()
        reader.end()
    }

    private func clientIsReady(_ events: PollEvents) {
        if !events.subtracting(.writable).isEmpty { calls.receive() }
        proceed()
    }

    private func busIsReady(_ events: PollEvents) {
        if !events.subtracting(.writable).isEmpty { replies.receive() }
        proceed()
    }

    /// Sends what waits, and passes on the end of each direction. Whoever is gone may have sent messages before that,
    /// which the other side gets.
    private func proceed() {
        guard polledClient != nil else { return }
        calls.flush()
        replies.flush()
        if replies.isFinished, calls.isFinished || !replies.isBroken { return finish() }
        if calls.isFinished, !hasShutDown {
            hasShutDown = true
            bus.shutDownSending()
        }
        polledClient?.wait(reading: calls.wantsToRead, writing: replies.wantsToWrite)
        polledBus?.wait(reading: replies.wantsToRead, writing: calls.wantsToWrite)
    }

    private func finish() {
        close()
        closedHandler.take()?()
    }
}
