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
    private var request: PageRequest?
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
        switch (unwrapInboundIn(data), use) {
        case (_, .draining): break
        case (.head(let head), .new), (.head(let head), .idle):
            let request = PageRequest(head)
            self.request = request
            if let refusal = responder.refusal(of: request) { respond(to: request) { refusal } }
        // Browsers wait for the response.
        case (.head, .visitor), (.head, .owner): close()
        case (.body(let bytes), _):
            guard request != nil else { break }
            request?.body += bytes.readableBytesView.prefix(PageCommand.longest + 1)
            if let request, request.body.count > PageCommand.longest { respond(to: request) { Responder.tooLong } }
        case (.end, _):
            guard let request else { break }
            let responder = responder
            respond(to: request) { await responder.response(to: request) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }

    // MARK: Responses

    private func respond(to request: PageRequest, with response: @escaping @Sendable () async -> PageResponse) {
        self.request = nil
        deadline?.cancel()
        change(to: responder.isOwner(request) ? .owner : .visitor)
        let channel = channel
        channel.eventLoop.makeFutureWithTask {
            var response = await response()
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
