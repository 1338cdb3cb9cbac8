import CommandLineSupport
import CoreBlueZ
import DBus
import FlyingFox
import FlyingSocks
import Foundation
import SensorTagProgram

/// Serves the page, the stream of events, recordings, and commands.
final class PageServer: Sendable {
    private let server: HTTPServer
    private let responder: Responder
    private let address: String
    private let otherHosts: [String]
    private let running = Lock<Task<Void, any Error>?>(nil)
    private let failed = Lock<(@BluetoothActor (CommandFailure) -> Void)?>(nil)

    init(station: TagStation, hub: EventHub, address: String, port: UInt16, otherHosts: [String]) throws(CommandFailure)
    {
        responder = Responder(station: station, hub: hub)
        self.address = address
        self.otherHosts = otherHosts
        do {
            // An event stream outlives the timeout, which applies to the beginning of a response.
            server = HTTPServer(
                address: try .inet(ip4: address, port: port), timeout: 15, logger: .disabled, handler: responder)
        } catch {
            throw CommandFailure(.usage, "\(address) is not an IPv4 address")
        }
    }

    /// Begins to serve.
    ///
    /// - Returns: the address of the page, with the secret.
    func start() async throws(CommandFailure) -> String {
        let (outcomes, outcome) = AsyncStream<(any Error)?>.makeStream()
        let server = server
        let task = Task {
            do {
                try await server.run()
            } catch {
                outcome.yield(error)
                throw error
            }
        }
        running.withLock { $0 = task }
        Task {
            try await server.waitUntilListening(timeout: 30)
            outcome.yield(nil)
        }
        var iterator = outcomes.makeAsyncIterator()
        if let error = await iterator.next() ?? nil { throw Self.failure(error, on: address) }
        guard case .ip4(_, let port)? = await server.listeningAddress else {
            throw CommandFailure(.unavailable, "The page cannot be served at \(address)")
        }
        let access = Access(address: address, port: port, otherNames: otherHosts)
        responder.open(access)
        return "http://\(address == "0.0.0.0" ? "127.0.0.1" : address):\(port)/#\(access.token)"
    }

    /// Calls `body` if serving fails.
    func whenFailed(_ body: @escaping @BluetoothActor (CommandFailure) -> Void) {
        guard let task = running.withLock({ $0 }) else { return }
        let address = address
        Task {
            if case .failure(let error) = await task.result { await body(Self.failure(error, on: address)) }
        }
    }

    /// Ends all connections.
    func stop() async {
        responder.close()
        await server.stop()
    }

    private static func failure(_ error: any Error, on address: String) -> CommandFailure {
        switch error {
        case SocketError.failed(_, EADDRINUSE, _):
            CommandFailure(
                .unavailable, "Another program uses this port. Give another with --port, or 0 for any free one")
        case SocketError.failed(_, EADDRNOTAVAIL, _):
            CommandFailure(.unavailable, "This machine does not have the address \(address)")
        case SocketError.failed(_, EACCES, _):
            CommandFailure(.permission, "Ports below 1024 need more rights. Give another with --port")
        case SocketError.failed(_, _, let message):
            CommandFailure(.unavailable, "The page cannot be served at \(address): \(message)")
        default:
            CommandFailure(.unavailable, "The page cannot be served at \(address): \(error)")
        }
    }
}
