import BlueZScript
import BlueZUnixSockets
import CoreBlueZ

/// One run of `gatt serial`, from the first link to the last.
@BluetoothActor struct SerialRun {
    private let command: SerialCommand
    private let session: Session
    private let ending = Ending()
    private let messages: SerialMessages
    private let link: SerialLink

    init(_ command: SerialCommand, _ session: Session, _ device: String, _ log: SerialLog?) {
        self.command = command
        self.session = session
        messages = SerialMessages(log, ending)
        link = SerialLink(session, device, command)
        link.eventHandler = { [messages] in messages.report($0) }
    }

    func run() async throws {
        let endpoint = try endpoint()
        do {
            try await link.open()
            try endpoint.start()
            if let place = endpoint.place { try session.output.line(place) }
        } catch {
            link.close()
            await end(endpoint)
            throw error
        }
        let keepAlive = Task {
            do { try await link.keepOpen() } catch { ending.end(error) }
        }
        var failure: (any Error)?
        do { try await ending.wait() } catch { failure = error }
        link.close()
        keepAlive.cancel()
        await keepAlive.value
        await end(endpoint)
        if let failure { throw failure }
    }

    /// Creates the endpoint. This happens before the device is found, so that an existing path is reported immediately.
    private func endpoint() throws -> any SerialEndpoint {
        if let path = command.pseudoTerminal { return try SerialPseudoTerminal(linkedAt: path, link, messages) }
        if let address = command.tcp.flatMap({ LoopbackAddress($0) }) {
            return try SerialServer(address, link, messages)
        }
        if command.exchange { return try SerialExchange(link, messages, ending, command) }
        return try SerialTerminal(link, messages, ending, command)
    }

    private func end(_ endpoint: any SerialEndpoint) async {
        endpoint.close()
        await endpoint.flush()
    }
}

/// The other end of the serial port: a terminal, a pseudo-terminal, or a TCP port.
@BluetoothActor protocol SerialEndpoint: AnyObject {
    /// The path or address for other programs, which is printed; nil for none.
    var place: String? { get }

    /// Lets bytes pass, once the link is open.
    func start() throws

    /// Ends it.
    func close()

    /// Waits until all received bytes are written.
    func flush() async
}

extension SerialEndpoint {
    var place: String? { nil }
    func flush() async {}
}
