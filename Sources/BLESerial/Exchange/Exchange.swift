import CoreBlueZ
import PrintableText

/// The kind of a message from the device.
public enum ExchangeMessageKind: Hashable, Sendable {
    /// The reply to the request.
    case reply
    /// A step on the way to it.
    case progress
    /// Neither.
    case unsolicited
}

/// Requests and their replies over framed messages, one at a time. It takes over the handlers of the framed stream.
///
/// A reply that comes after its timeout or after cancellation is unsolicited. So that it is not taken for the reply to
/// the next request, that request waits: until the late reply has come, or until `lateReplyWindow` is over. The window
/// starts anew with each step of progress, and with each piece of an incomplete message.
///
/// A reply that is later than the window cannot be distinguished from the next request's, unless it names its own
/// request: **it is taken for the next one's if the classifier calls it a reply**. There are two remedies. If replies
/// name the request they belong to, let the classifier compare; then the window may be zero. If they do not, set the
/// window to nil: then no late reply meets a later request, at the price that a device that never replies blocks the
/// exchange until the stream is closed and opened again. All this assumes one reply to a request: if a device replies
/// to both a cancelled request and `cancelMessage`, only the classifier can recognize the second reply.
@BluetoothActor public final class Exchange<Message: Sendable> {
    /// Decides what a message is, given the request that waits for its reply; nil if none does.
    public typealias Classifier = @BluetoothActor (_ message: Message, _ request: Message?) -> ExchangeMessageKind

    /// How messages and replies follow one another.
    public let mode: ExchangeMode

    /// Gets the messages that are neither the reply to a request nor a step on the way to it, with what the classifier
    /// takes them for; in duplex mode all messages.
    public var messageHandler: (@BluetoothActor (Message, ExchangeMessageKind) -> Void)?

    /// Gets the bytes that are not a message. The exchange goes on; if no reply comes in time, the last of them is the
    /// error.
    public var framingErrorHandler: (@BluetoothActor (FramingError) -> Void)?

    /// Called once, when the stream has ended: with nil after `close`, otherwise with the reason.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)?

    /// The message that tells the device to cancel, if the protocol has one; otherwise only the computer stops waiting.
    public var cancelMessage: Message?

    /// How long after a timeout or a cancellation the next request waits for a late reply; nil waits until it comes.
    /// The class documentation says what this guarantees and what not. A waiting request ends with `timedOut`, at the
    /// latest after the window and its own timeout together, and was then not sent. Setting this property starts the
    /// window anew.
    public var lateReplyWindow: Duration? = .seconds(2) {
        didSet { if awaitsLateReply { awaitLateReply() } }
    }

    /// Whether an incomplete message is discarded before a request is sent.
    public var clearsBeforeSending = false

    private let framed: FramedStream<Message>
    private let classify: Classifier
    private var current: Request?
    /// Whether the reply to a request that has ended may still arrive.
    private var awaitsLateReply = false
    private var lateReplyTimer: ScheduledCall?
    private var isClosed = false

    /// A request in progress.
    @BluetoothActor private final class Request {
        let message: Message
        let timeout: Duration
        let sent: @BluetoothActor () -> Void
        let progress: @BluetoothActor (Message) -> Void
        let completion: @BluetoothActor (Result<Message, ExchangeError>) -> Void
        var sending: (any SendRequest)?
        var timer: ScheduledCall?
        /// Whether all of it was sent, so that a reply may come.
        var isHandedOver = false
        var isSent = false
        var isCancelling = false
        /// Whether a reply came while it was being cancelled.
        var isAnswered = false
        var framingError: FramingError?

        init(
            _ message: Message,
            _ timeout: Duration,
            _ sent: @escaping @BluetoothActor () -> Void,
            _ progress: @escaping @BluetoothActor (Message) -> Void,
            _ completion: @escaping @BluetoothActor (Result<Message, ExchangeError>) -> Void
        ) {
            self.message = message
            self.timeout = timeout
            self.sent = sent
            self.progress = progress
            self.completion = completion
        }

        func wasSent() {
            guard !isSent else { return }
            isSent = true
            sent()
        }

        /// The device has the request: it has sent something in response.
        func confirm() {
            sending?.confirm()
            wasSent()
        }
    }

    /// Exchanges over the stream.
    ///
    /// - Parameters:
    ///   - framed: the messages.
    ///   - mode: whether the device speaks only when asked.
    ///   - classify: decides what a message is; without it, every message is a reply.
    public init(
        _ framed: FramedStream<Message>,
        mode: ExchangeMode = .masterSlave,
        classify: @escaping Classifier = { _, _ in .reply }
    ) {
        self.framed = framed
        self.mode = mode
        self.classify = classify
        framed.endHandler = { [weak self] error in self?.streamDidEnd(error) }
        framed.receiveHandler = { [weak self] event in self?.receive(event) }
    }

    isolated deinit {
        lateReplyTimer?.cancel()
        guard let current else { return }
        current.timer?.cancel()
        current.sending?.cancel()
        BluetoothActor.later { current.completion(.failure(.failed(.cancelSucceeded, "The exchange is gone"))) }
    }

    // MARK: Requests

    /// Whether a request waits for its reply.
    public var isExchanging: Bool { current != nil }

    /// Why a request would be refused now; nil if it would begin.
    public var refusal: ExchangeStartCode? {
        if isClosed { return .notOpened }
        if !framed.isOpen { return .noDevice }
        return current == nil ? nil : .notFinished
    }

    /// Sends a request and waits for its reply.
    ///
    /// - Parameters:
    ///   - message: the request.
    ///   - timeout: how long sending it and the reply may take. It starts with sending, which `lateReplyWindow` may
    ///     delay.
    ///   - sent: called once when the device has the request, as far as can be known, and before the reply.
    ///   - progress: called with each message that the classifier takes for a step on the way.
    ///   - completion: gets the reply, or why there is none. Runs exactly once, after this method has returned.
    public func exchange(
        _ message: Message,
        timeout: Duration,
        sent: @escaping @BluetoothActor () -> Void = {},
        progress: @escaping @BluetoothActor (Message) -> Void = { _ in },
        completion: @escaping @BluetoothActor (Message?, ExchangeError?) -> Void
    ) {
        startExchanging(message, timeout, sent, progress) { $0.split(completion) }
    }

    func startExchanging(
        _ message: Message,
        _ timeout: Duration,
        _ sent: @escaping @BluetoothActor () -> Void,
        _ progress: @escaping @BluetoothActor (Message) -> Void,
        _ completion: @escaping @BluetoothActor (Result<Message, ExchangeError>) -> Void
    ) {
        if let refusal { return BluetoothActor.later { completion(.failure(.refused(refusal))) } }
        guard mode == .masterSlave else {
            let error = ExchangeError.failed(.exchangeState, "In duplex mode there are no exchanges: use send")
            return BluetoothActor.later { completion(.failure(error)) }
        }
        let request = Request(message, timeout, sent, progress, completion)
        current = request
        guard awaitsLateReply else { return begin(request) }
        // Progress may come forever, and without a window the late reply may never come.
        startTimer(request, extra: lateReplyWindow ?? .zero)
    }

    /// Sends a message that has no reply. In master-slave mode it is refused while an exchange is in progress.
    ///
    /// - Parameters:
    ///   - message: the message to send.
    ///   - completion: gets nil when the device has the message, as far as can be known. Runs exactly once.
    public func send(_ message: Message, completion: @escaping @BluetoothActor (ExchangeError?) -> Void) {
        if let refusal { return BluetoothActor.later { completion(.refused(refusal)) } }
        framed.send(message) { completion($0.map { ExchangeError($0, otherwise: .write) }) }
    }

    /// Sends a message whatever is in progress.
    func sendAtOnce(_ message: Message, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        framed.send(message, completion: completion)
    }

    /// Cancels the exchange. Its completion gets `cancelSucceeded`, or `cancelFailed` if there is a `cancelMessage`
    /// that could not be sent; if the stream ended instead, the error of that end. A later reply is unsolicited.
    @discardableResult
    public func cancel() -> ExchangeCancelCode {
        guard !isClosed, framed.isOpen else { return .notOpened }
        guard let current else { return .nothingToCancel }
        guard !current.isCancelling else { return .alreadyCancelling }
        current.isCancelling = true
        if let cancelMessage, current.isHandedOver {
            framed.send(cancelMessage) { [weak self] error in self?.finishCancelling(current, error) }
        } else {
            current.sending?.cancel()
            BluetoothActor.later { [weak self] in self?.finish(current, .failure(Self.cancelled)) }
        }
        return .accepted
    }

    private func finishCancelling(_ request: Request, _ error: BluetoothError?) {
        guard let error else { return finish(request, .failure(Self.cancelled)) }
        let hasEnded = !framed.isOpen && !isClosed
        let failure = ExchangeError.failed(.cancelFailed, error.description)
        finish(request, .failure(hasEnded ? ExchangeError(error, otherwise: .write) : failure))
    }

    /// Ends the stream and, with it, a pending exchange.
    public func close() {
        isClosed = true
        framed.close()
    }

    private static var cancelled: ExchangeError { .failed(.cancelSucceeded, "The exchange was cancelled") }

    private func begin(_ request: Request) {
        if clearsBeforeSending { framed.clear() }
        startTimer(request)
        request.sending = framed.send(request.message) {
            request.isHandedOver = true
        } completion: { [weak self] error in
            guard let error else { return request.wasSent() }
            guard !request.isCancelling else { return }
            self?.finish(request, .failure(ExchangeError(error, otherwise: .write)))
        }
    }

    private func startTimer(_ request: Request, extra: Duration = .zero) {
        request.timer?.cancel()
        request.timer = BluetoothActor.after(request.timeout + extra) { [weak self] in self?.timeIsOver(request) }
    }

    private func timeIsOver(_ request: Request) {
        if request.isCancelling {
            finish(request, .failure(.failed(.cancelFailed, "The message to cancel could not be sent in time")))
        } else if awaitsLateReply {
            finish(
                request, .failure(.failed(.timedOut, "It was not sent: the reply to an earlier request did not come")))
        } else if let error = request.framingError {
            finish(request, .failure(ExchangeError(error)))
        } else {
            finish(request, .failure(.failed(.timedOut, "There was no reply within \(request.timeout.inSeconds)")))
        }
    }

    /// Ends the request, once.
    private func finish(_ request: Request, _ result: Result<Message, ExchangeError>) {
        guard current === request else { return }
        current = nil
        request.timer?.cancel()
        switch result {
        case .success:
            request.confirm()
        case .failure:
            request.sending?.cancel()
            if request.isHandedOver, !request.isAnswered, framed.isOpen { awaitLateReply() }
        }
        request.completion(result)
    }

    // MARK: Late replies

    private func awaitLateReply() {
        lateReplyTimer?.cancel()
        lateReplyTimer = nil
        awaitsLateReply = true
        guard let lateReplyWindow else { return }
        guard lateReplyWindow > .zero else { return goOn() }
        let arrivals = framed.arrivals
        lateReplyTimer = BluetoothActor.after(lateReplyWindow) { [weak self] in
            guard let self else { return }
            let isArriving = self.framed.isIncomplete && self.framed.arrivals != arrivals
            if isArriving { self.awaitLateReply() } else { self.goOn() }
        }
    }

    /// A late reply is no longer waited for.
    private func goOn() {
        guard awaitsLateReply else { return }
        stopAwaiting()
        if let current, !current.isCancelling { begin(current) }
    }

    private func stopAwaiting() {
        awaitsLateReply = false
        lateReplyTimer?.cancel()
        lateReplyTimer = nil
    }

    // MARK: What arrives

    private func receive(_ event: FramedStream<Message>.Event) {
        switch event {
        case .success(let message): receive(message)
        case .failure(let error):
            if current?.isHandedOver == true { current?.framingError = error }
            framingErrorHandler?(error)
        }
    }

    private func receive(_ message: Message) {
        let request = current.flatMap { $0.isHandedOver && !$0.isCancelling ? $0 : nil }
        let kind = classify(message, request?.message)
        switch (kind, request) {
        case (.reply, let request?): finish(request, .success(message))
        case (.progress, let request?):
            // Either proves that the device has the request.
            request.confirm()
            request.progress(message)
        default:
            if kind == .reply, let current, current.isHandedOver { current.isAnswered = true }
            messageHandler?(message, kind)
            switch kind {
            case .reply: goOn()
            case .progress where awaitsLateReply: awaitLateReply()
            case .progress, .unsolicited: break
            }
        }
    }

    private func streamDidEnd(_ error: BluetoothError?) {
        stopAwaiting()
        if let current {
            let failure = error.map { ExchangeError($0, otherwise: .read) }
            finish(current, .failure(failure ?? .failed(.cancelSucceeded, "The device was closed")))
        }
        endHandler?(error)
    }
}
