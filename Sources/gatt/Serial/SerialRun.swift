import CommandLineSupport
import CoreBlueZ
import UnixSockets

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
        link.eventHandler = { [messages] in messages.note($0) }
    }

    func run() async throws {
        if let path = command.pseudoTerminal { return try await offerPseudoTerminal(path) }
        if let address = command.tcp.flatMap({ LoopbackAddress($0) }) { return try await offerPort(address) }
        if command.exchange { return try await exchange() }
        let terminal = try SerialTerminal(link, messages, ending, command)
        try await open {
            try terminal.start()
        } end: {
            terminal.close()
            await terminal.flush()
        }
    }

    private func exchange() async throws {
        let exchange = try SerialExchange(link, messages, ending, command)
        exchange.prepare()
        try await open {
            exchange.start()
        } end: {
            exchange.close()
            await exchange.flush()
        }
    }

    /// Made before the device is looked for, so that an existing path is reported at once.
    private func offerPseudoTerminal(_ path: String) async throws {
        let terminal = try SerialPseudoTerminal(linkedAt: path, link, messages)
        try await open {
            terminal.start()
            try session.output.line(terminal.path)
        } end: {
            terminal.close()
        }
    }

    private func offerPort(_ address: LoopbackAddress) async throws {
        let server = try SerialServer(address, link, messages)
        try await open {
            server.start()
            try session.output.line(server.address.description)
        } end: {
            server.close()
        }
    }

    /// Opens the link, lets `start` use it, keeps it until something ends the run, and calls `end` to clean up.
    private func open(
        _ start: @BluetoothActor () throws -> Void,
        end: @BluetoothActor () async -> Void
    ) async throws {
        do {
            try await link.open()
            try start()
        } catch {
            link.close()
            await end()
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
        await end()
        if let failure { throw failure }
    }
}
