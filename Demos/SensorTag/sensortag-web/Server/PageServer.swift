import BlueZDBus
import BlueZScript
import CoreBlueZ
import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix
import SensorTagProgram

/// Serves the page, the stream of events, recordings, and commands.
final class PageServer: Sendable {
    let responder: Responder
    private let address: IPv4Address
    private let port: UInt16
    private let otherHosts: [String]
    /// One thread is enough, and connections need no locks.
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let connections: NIOLoopBoundBox<ConnectionTable>
    private let listening = Lock<(any Channel)?>(nil)

    /// The timeout after which a connection ends if the browser accepts nothing of a response.
    static let stall = TimeAmount.seconds(60)
    /// The same for what the kernel has taken, in milliseconds: a browser that accepts no heartbeats is noticed before
    /// they fill a buffer.
    private static let userTimeout = ChannelOptions.tcpOption(.init(rawValue: TCP_USER_TIMEOUT))
    /// The most connections; fewer if the program may open less than four times as many files.
    static let mostConnections = 256
    /// The most connections that wait in the kernel, in the order of their arrival, until they are accepted.
    static let backlog: Int32 = 4096
    /// The longest head of a request, in bytes.
    static let longestHead = 16 * 1024
    /// The sizes of a connection's buffers in the kernel, in bytes; the kernel doubles them (socket(7)). Buffers without
    /// a set size grow to several megabytes (tcp(7), tcp_wmem and tcp_rmem). The listening socket has the sizes, so that
    /// connections that wait to be accepted have them too.
    static let buffers = (sending: 64 * 1024, receiving: 16 * 1024)

    init(
        station: TagStation, hub: EventHub, address: IPv4Address, port: UInt16, otherHosts: [String] = [],
        mostConnections: Int = min(PageServer.mostConnections, OpenFiles.limit / 4)
    ) {
        responder = Responder(station: station, hub: hub)
        self.address = address
        self.port = port
        self.otherHosts = otherHosts
        connections = .makeBoxSendingValue(
            ConnectionTable(limit: mostConnections), eventLoop: group.next())
    }

    /// Starts serving the page.
    ///
    /// - Returns: the address of the page, with the secret.
    func start() async throws(CommandFailure) -> String {
        let listener: any Channel
        do {
            listener = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: Self.backlog)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.socketOption(.so_sndbuf), value: Self.buffers.sending)
                .serverChannelOption(.socketOption(.so_rcvbuf), value: Self.buffers.receiving)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(Self.userTimeout, value: Int(Self.stall.nanoseconds / 1_000_000))
                .childChannelInitializer { [self] channel in
                    channel.eventLoop.makeCompletedFuture { try admit(channel) }
                }
                .bind(host: address.text, port: Int(port)).get()
        } catch {
            throw failure(error)
        }
        listening.withLock { $0 = listener }
        let port = listener.localAddress?.port.flatMap { UInt16(exactly: $0) } ?? port
        let access = Access(address: address.text, port: port, otherNames: otherHosts)
        responder.open(access)
        return "http://\(address.text == "0.0.0.0" ? "127.0.0.1" : address.text):\(port)/#\(access.token)"
    }

    /// Calls `body` if serving ends before `stop()`.
    func whenFailed(_ body: @escaping @BluetoothActor (CommandFailure) -> Void) {
        listening.withLock { $0 }?.closeFuture.whenComplete { [self] _ in
            guard listening.withLock({ $0 }) != nil else { return }
            Task { @BluetoothActor in body(CommandFailure(.unavailable, "The page cannot be served any longer")) }
        }
    }

    /// Ends all connections.
    func stop() async {
        let listener = listening.withLock { listener in
            defer { listener = nil }
            return listener
        }
        responder.close()
        try? await listener?.close()
        try? await listener?.eventLoop.submit { [connections] in connections.value.closeAll() }.get()
        // What they send when the event loop has ended would wait forever.
        await responder.waitForResponses()
        // Fails only if it was called before.
        try? await group.shutdownGracefully()
    }

    /// Accepts a connection, on the event loop.
    private func admit(_ channel: any Channel) throws {
        let connection = PageConnection(channel, responder)
        let admission = connections.value.admit(connection)
        for other in admission.ending { other.makeRoom() }
        if let pause = admission.pause { self.pause(pause) }
        guard admission.isAdmitted else { return connection.close() }
        // What a closed connection has not sent would stay in the kernel for minutes, and outside every limit.
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        let (connections, bound) = (connections, NIOLoopBound(connection, eventLoop: channel.eventLoop))
        channel.closeFuture.whenComplete { _ in connections.value.remove(bound.value) }
        var limits = NIOHTTPDecoderLimitConfiguration()
        (limits.maxHeaderFieldSize, limits.maxHeaderListSize) = (Self.longestHead, Self.longestHead)
        try channel.pipeline.syncOperations.addHandler(IdleStateHandler(writeTimeout: Self.stall))
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
        try channel.pipeline.syncOperations.addHandler(connection)
    }

    /// Stops accepting connections for some time; new ones wait in the kernel.
    private func pause(_ time: TimeAmount) {
        guard let listener = listening.withLock({ $0 }) else { return }
        _ = listener.setOption(.autoRead, value: false)
        listener.eventLoop.scheduleTask(in: time) { listener.setOption(.autoRead, value: true) }
    }

    private func failure(_ error: any Error) -> CommandFailure {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            CommandFailure(
                .unavailable, "Another program uses port \(port); give another --port, or 0 for any free one")
        case EADDRNOTAVAIL:
            CommandFailure(.unavailable, "This machine does not have the address \(address.text)")
        case EACCES:
            CommandFailure(.permission, "Ports below 1024 require more rights; give another --port")
        default:
            CommandFailure(.unavailable, "The page cannot be served at \(address.text): \(error)")
        }
    }
}

/// How many files and connections the program may have open.
enum OpenFiles {
    /// The soft limit, from the line "Max open files" of proc_pid_limits(5); 1024, the kernel's default, if it cannot
    /// be read, and the greatest number for "unlimited".
    static var limit: Int {
        limit(in: (try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8)) ?? "")
    }

    static func limit(in text: String) -> Int {
        let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        guard let soft = line?.dropFirst("Max open files".count).split(separator: " ").first else { return 1024 }
        return soft == "unlimited" ? .max : Int(soft) ?? 1024
    }
}
