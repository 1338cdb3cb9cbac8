import NIOCore
import NIOHTTP1

/// One connection of a browser: takes in a request, sends its response, waits for the next one. Its thread is that of
/// the server's event loop.
final class PageConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// How long a browser may take for a request: the first one, and from the end of a response to that of the next.
    static let deadlines = (first: TimeAmount.seconds(10), next: TimeAmount.seconds(30))
    /// How long the rest of a refused request is dropped, so that the browser gets to read why.
    static let draining = TimeAmount.seconds(2)

    private(set) var use = ConnectionTable.Use.new
    /// Since when it is in this use.
    private(set) var since = NIODeadline.now()
    private let channel: any Channel
    private let responder: Responder
    private var incoming: Incoming?
    private var deadline: Scheduled<Void>?

    init(_ channel: any Channel, _ responder: Responder) {
        self.channel = channel
        self.responder = responder
    }

    /// Ends it at once.
    func close() { channel.close(promise: nil) }

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
            // One may come before this side has noticed that its response is complete.
            guard incoming == nil else { return close() }
            let request = PageRequest(head)
            incoming = Incoming(request: request, refusal: responder.refusal(of: request))
        case .body(let bytes): incoming?.receive(bytes)
        case .end: incoming?.isComplete = true
        }
        respond()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }

    // MARK: Responses

    /// Begins to respond, if there is a request and no response.
    private func respond() {
        guard use < .visitor, let incoming, incoming.isComplete || incoming.refusal != nil else { return }
        self.incoming = nil
        let (request, refusal, responder) = (incoming.request, incoming.refusal, responder)
        deadline?.cancel()
        change(to: responder.isOwner(request) ? .owner : .visitor)
        let channel = channel
        channel.eventLoop.makeFutureWithTask {
            var response = if let refusal { refusal } else { await responder.response(to: request) }
            response.closes = response.closes || !request.isKeptAlive
            try await channel.send(response, version: request.version)
            return response.closes
        }.assumeIsolated().whenComplete { [weak self] result in
            switch result {
            case .success(let closes): self?.didRespond(closes: closes)
            case .failure: self?.close()
            }
        }
    }

    private func didRespond(closes: Bool) {
        if closes {
            change(to: .draining)
            channel.close(mode: .output, promise: nil)
            end(after: Self.draining)
        } else {
            change(to: .idle)
            end(after: Self.deadlines.next)
            respond()
        }
    }

    private func change(to use: ConnectionTable.Use) {
        self.use = use
        since = .now()
    }

    private func end(after time: TimeAmount) {
        let channel = channel
        deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Nothing of its response could be sent for as long as the handler allows.
        if case IdleStateHandler.IdleStateEvent.write = event { close() }
    }
}

/// A request of which the head has come.
private struct Incoming {
    var request: PageRequest
    /// The response if it is refused, whatever else comes.
    var refusal: PageResponse?
    var isComplete = false

    mutating func receive(_ bytes: ByteBuffer) {
        guard refusal == nil else { return }
        request.body += bytes.readableBytesView.prefix(PageCommand.longest + 1)
        if request.body.count > PageCommand.longest { refusal = Responder.tooLong }
    }
}
