import NIOCore
import NIOHTTP1

/// One connection of a browser: receives a request, sends its response, and waits for the next one. It runs on the
/// thread of the server's event loop.
final class PageConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// The timeout for a request: the first one, and from the end of a response to the end of the next request.
    static let deadlines = (first: TimeAmount.seconds(10), next: TimeAmount.seconds(30))
    /// How long the browser has to receive a response that ends the connection. If it is a refusal, or if another
    /// connection needs room, the time is shorter; the rest of a refused request is read and dropped meanwhile.
    static let (lastResponse, draining) = (TimeAmount.seconds(30), TimeAmount.seconds(2))

    private(set) var use = ConnectionTable.Use.new
    /// The time at which it began to be used in this way.
    private(set) var since = NIODeadline.now()
    private let channel: any Channel
    private let responder: Responder
    private var incoming: Incoming?
    private var deadline: Scheduled<Void>?

    init(_ channel: any Channel, _ responder: Responder) {
        self.channel = channel
        self.responder = responder
    }

    /// Ends the connection immediately. What the browser has not received of a response is dropped.
    func close() { channel.close(promise: nil) }

    /// Ends the connection so that another one has room. A browser that is still receiving the end of its last response
    /// gets it.
    func makeRoom() {
        if use == .idle { drain(for: Self.draining) } else { close() }
    }

    // MARK: Requests

    func channelActive(context: ChannelHandlerContext) {
        end(after: Self.deadlines.first)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard use != .draining else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            // A request may arrive before this side has noticed that the response is complete.
            guard incoming == nil else { return close() }
            let request = PageRequest(head)
            incoming = Incoming(request: request, refusal: responder.refusal(of: request))
        case .body(let bytes): incoming?.receive(bytes)
        case .end: incoming?.isComplete = true
        }
        respond()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO has responded that this is no HTTP.
        if use == .idle || use == .new, error is HTTPParserError { return drain(for: Self.draining) }
        if use != .draining { close() }
    }

    // MARK: Responses

    /// Begins to respond, if there is a request and no response.
    private func respond() {
        guard channel.isActive, use < .visitor else { return }
        guard let incoming, incoming.isComplete || incoming.refusal != nil else { return }
        self.incoming = nil
        let (request, refusal, responder) = (incoming.request, incoming.refusal, responder)
        deadline?.cancel()
        change(to: responder.isOwner(request) ? .owner : .visitor)
        let channel = channel
        let ending = channel.eventLoop.makePromise(of: Bool.self)
        let response = ending.completeWithTask {
            var response = if let refusal { refusal } else { await responder.response(to: request) }
            response.closes = response.closes || !request.isKeptAlive
            try await channel.send(response, version: request.version)
            return response.closes
        }
        responder.began(response)
        ending.futureResult.assumeIsolated().whenComplete { [weak self] result in
            responder.ended(response)
            switch result {
            case .success(true): self?.drain(for: refusal == nil ? Self.lastResponse : Self.draining)
            case .success(false): self?.didRespond()
            case .failure: self?.close()
            }
        }
    }

    private func didRespond() {
        change(to: .idle)
        end(after: Self.deadlines.next)
        respond()
    }

    /// Ends the response, and the connection when the browser has received it, or at the end of a time.
    private func drain(for time: TimeAmount) {
        change(to: .draining)
        channel.close(mode: .output, promise: nil)
        end(after: time)
    }

    private func change(to use: ConnectionTable.Use) {
        self.use = use
        since = .now()
    }

    private func end(after time: TimeAmount) {
        let channel = channel
        deadline?.cancel()
        deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The browser has accepted nothing of the response until the handler's timeout.
        if case IdleStateHandler.IdleStateEvent.write = event { close() }
    }
}

/// A request whose head has arrived.
private struct Incoming {
    var request: PageRequest
    /// The response if the request is refused; the rest of the request is then ignored.
    var refusal: PageResponse?
    var isComplete = false

    mutating func receive(_ bytes: ByteBuffer) {
        guard refusal == nil else { return }
        request.body += bytes.readableBytesView.prefix(PageCommand.longest + 1)
        if request.body.count > PageCommand.longest { refusal = Responder.tooLong }
    }
}
