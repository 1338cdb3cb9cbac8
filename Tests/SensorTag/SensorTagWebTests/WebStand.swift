import BlueZDBus
import CoreBlueZ
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import sensortag_web

/// A page's server without Bluetooth, and clients that send it bytes.
struct WebStand {
    let hub: EventHub
    let station: TagStation
    let responder: Responder
    private let server: PageServer
    let port: Int
    let token: String
    let recordings: RecordingFolder

    private init(_ mostConnections: Int, _ bus: String) async throws {
        let (hub, recordings) = (EventHub(), try RecordingFolder())
        (self.hub, self.recordings) = (hub, recordings)
        station = await TagStation(bus: bus, adapter: nil, hub: hub, recordings: recordings, isStoring: false)
        server = PageServer(
            station: station, hub: hub, address: try #require(IPv4Address("127.0.0.1")), port: 0,
            mostConnections: mostConnections)
        responder = server.responder
        let parts = try #require(try await server.start().firstMatch(of: /:(\d+)\/#([0-9a-f]+)/))
        (port, token) = (try #require(Int(parts.1)), String(parts.2))
    }

    /// Serves while `body` runs.
    static func run(
        mostConnections: Int = 256, bus: String = "unix:path=/nonexistent", _ body: (WebStand) async throws -> Void
    ) async throws {
        let stand = try await WebStand(mostConnections, bus)
        let result: Result<Void, any Error>
        do { result = .success(try await body(stand)) } catch { result = .failure(error) }
        await stand.server.stop()
        stand.recordings.remove()
        try result.get()
    }

    /// What browsers send as Host.
    var host: String { "127.0.0.1:\(port)" }

    /// The lines of a request that is allowed.
    func request(_ line: String, _ headers: String...) -> String {
        ([line + " HTTP/1.1", "Host: \(host)"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Connects, and sends a text.
    ///
    /// - Parameter reads: whether it reads what comes, or only from `read()` on.
    func connect(_ text: String = "", reads: Bool = true) async throws -> WebClient {
        let client = WebClient()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: reads)
            .channelOption(.socketOption(.so_rcvbuf), value: 64 * 1024)
            .channelInitializer { $0.pipeline.addHandler(client.receiver) }
            .connect(host: "127.0.0.1", port: port).get()
        client.channel.withLock { $0 = channel }
        try await client.send(text)
        return client
    }
}

/// A connection to the page, with everything that has come.
final class WebClient: Sendable {
    fileprivate let channel = Lock<(any Channel)?>(nil)
    private let state = Lock((text: "", isEnded: false, wasReset: false))

    var text: String { state.withLock(\.text) }
    var isEnded: Bool { state.withLock(\.isEnded) }
    /// Whether the server has ended it without the rest of a response.
    var wasReset: Bool { state.withLock(\.wasReset) }
    /// Its own port.
    var port: Int? { channel.withLock(\.self)?.localAddress?.port }

    /// Begins to read, unless the connection has ended.
    func read() async throws { try? await channel.withLock(\.self)?.setOption(.autoRead, value: true).get() }

    func send(_ text: String) async throws {
        // What was refused may have ended already.
        try? await channel.withLock(\.self)?.writeAndFlush(ByteBuffer(string: text))
    }

    /// Waits until a text has come.
    func receives(_ part: String) async throws {
        try await Patience.wait(for: "\(part) in \(text)") { text.contains(part) }
    }

    func ends() async throws { try await Patience.wait(for: "the end after \(text)") { isEnded } }

    func close() async throws { try? await channel.withLock(\.self)?.close() }

    fileprivate var receiver: Receiver { Receiver(self) }

    fileprivate final class Receiver: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let client: WebClient
        init(_ client: WebClient) { self.client = client }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            client.state.withLock { $0.text += String(buffer: unwrapInboundIn(data)) }
        }
        func channelInactive(context: ChannelHandlerContext) { client.state.withLock { $0.isEnded = true } }
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            client.state.withLock { $0.wasReset = true }
            context.close(promise: nil)
        }
    }
}
