import CoreBlueZ

/// The kind of a message from the device.
public enum ExchangeMessageKind: Hashable, Sendable {
    /// The reply to the request.
    case reply
    /// A step before the reply.
    case progress
    /// A message that belongs to no request.
    case unsolicited
}

/// An exchange of requests and replies over framed messages, one at a time. It takes over the handlers of the framed
/// stream.
///
/// A reply that arrives after its request's timeout or cancellation is unsolicited. To prevent it from being taken for
/// the reply to the next request, that request waits until the late reply has arrived, or until `lateReplyWindow` has
/// passed. The window starts again with each step of progress, and with each piece of an incomplete message.
///
/// A reply that arrives after the window cannot be distinguished from that of the next request, unless it names its own
/// request: **it is taken for the next one's if the classifier says that it is a reply**. There are two remedies. If
/// replies name their requests, compare the names in the classifier; the window can then be zero. Otherwise, set the
/// window to nil. Then no late reply meets a later request, but a device that never replies blocks the exchange until
/// the stream is closed and opened again. All this assumes one reply per request. If a device replies to both a
/// cancelled request and `cancelMessage`, only the classifier can recognize the second reply.
@BluetoothActor public final class Exchange<Message: Sendable> {
    /// A closure that returns the kind of a message. It also gets the request that waits for its reply, or nil if none
    /// does.
    public typealias Classifier = @BluetoothActor (_ message: Message, _ request: Message?) -> ExchangeMessageKind

    /// Whether each message has a reply, or both sides can send at any time.
    public let mode: ExchangeMode

    /// Called with the messages that are neither the reply to a request nor a step before it, and with the classifier's
    /// result. In duplex mode, it is called with all messages.
    public var messageHandler: (@BluetoothActor (Message, ExchangeMessageKind) -> Void)?

    /// Called with bytes that are not a message. The exchange continues. If no reply arrives in time, the last of these
    /// errors is that of the exchange.
    public var framingErrorHandler: (@BluetoothActor (FramingError) -> Void)?

    /// Called once when the stream has ended, with nil after `close`, otherwise with the error.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)?

    /// The message that cancels the request in the device, if the protocol has one. Without it, only this side stops
    /// waiting.
    public var cancelMessage: Message?

    /// How long the next request waits for a late reply after a timeout or a cancellation; 2 s by default. Nil waits
    /// until the reply arrives. The class documentation describes what this guarantees. A request that waits for longer
    /// than the window and its own timeout together fails with `timedOut`, and is not sent. Setting this property
    /// restarts the window.
    public var lateReplyWindow: Duration? = .seconds(2) {
        didSet { if awaitsLateReply { awaitLateReply() } }
    }

    /// Whether to discard an incomplete message before a request is sent; false by default.
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
        /// Whether the request was sent completely, so that a reply may arrive.
        var isHandedOver = false
        var isSent = false
        var isCancelling = false
        /// Whether a reply arrived while the request was being cancelled.
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

        /// Notes that the device has received the request, since it has sent something in response.
        func confirm() {
            sending?.confirm()
            wasSent()
        }
    }

    /// Creates an exchange over a framed stream.
    ///
    /// - Parameters:
    ///   - framed: the stream of messages.
    ///   - mode: whether the device sends only replies (`masterSlave`, the default).
    ///   - classify: returns the kind of a message. By default, every message is a reply.
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
        BluetoothActor.perform { current.completion(.failure(.failed(.cancelSucceeded, "The exchange is gone"))) }
    }

    // MARK: Requests

    /// Whether a request is waiting for its reply.
    public var isExchanging: Bool { current != nil }

    /// Why a request would be refused now, or nil if it would begin.
    public var refusal: ExchangeStartCode? {
        if isClosed { return .notOpened }
        if !framed.isOpen { return .noDevice }
        return current == nil ? nil : .notFinished
    }

    /// Sends a request and waits for its reply.
    ///
    /// The error is `refused` with an `ExchangeStartCode` if the exchange does not begin, and otherwise `failed` with
    /// an `ExchangeErrorCode`:
    /// - `timedOut` if no reply arrives in time.
    /// - `decodeFailed`, `outOfMemory`, `byteFormat` or `frameFormat` if the bytes that arrive are not a valid reply,
    ///   and `byteFormat` if the request cannot be encoded.
    /// - `write` if the request cannot be sent, `disconnected` if the link is lost, and `read` or `unknown` if the
    ///   stream ends for another reason.
    /// - `exchangeState` in duplex mode.
    /// - `cancelSucceeded` or `cancelFailed` after `cancel`.
    ///
    /// - Parameters:
    ///   - message: the request.
    ///   - timeout: how long sending the request and receiving the reply may take. It starts with sending, which
    ///     `lateReplyWindow` may delay.
    ///   - sent: called once, before the reply, when the device has received the request, as far as the stream can
    ///     know.
    ///   - progress: called with each message that the classifier returns `progress` for.
    ///   - completion: gets the reply, or the error. Called exactly once, after this method has returned.
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
        if let refusal { return BluetoothActor.perform { completion(.failure(.refused(refusal))) } }
        guard mode == .masterSlave else {
            let error = ExchangeError.failed(.exchangeState, "In duplex mode there are no exchanges: use send")
            return BluetoothActor.perform { completion(.failure(error)) }
        }
        let request = Request(message, timeout, sent, progress, completion)
        current = request
        guard awaitsLateReply else { return begin(request) }
        // Progress may continue forever, and without a window the late reply may never arrive.
        startTimer(request, extra: lateReplyWindow ?? .zero)
    }

    /// Sends a message that has no reply. In master-slave mode, it is refused with `notFinished` while an exchange is
    /// in progress. It fails with `write` or `disconnected` if the message cannot be sent.
    ///
    /// - Parameters:
    ///   - message: the message to send.
    ///   - completion: gets nil when the device has received the message, as far as the stream can know, or the error.
    ///     Called exactly once.
    public func send(_ message: Message, completion: @escaping @BluetoothActor (ExchangeError?) -> Void) {
        if let refusal { return BluetoothActor.perform { completion(.refused(refusal)) } }
        framed.send(message) { completion($0.map { ExchangeError($0, otherwise: .write) }) }
    }

    /// Sends a message, even if an exchange is in progress.
    func sendAtOnce(_ message: Message, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        framed.send(message, completion: completion)
    }

    /// Cancels the exchange. Its completion gets `cancelSucceeded`, or `cancelFailed` if `cancelMessage` could not be
    /// sent. If the stream ended instead, it gets the error of that end. A later reply is unsolicited.
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
            BluetoothActor.perform { [weak self] in self?.finish(current, .failure(Self.cancelled)) }
        }
        return .accepted
    }

    private func finishCancelling(_ request: Request, _ error: BluetoothError?) {
        guard let error else { return finish(request, .failure(Self.cancelled)) }
        let hasEnded = !framed.isOpen && !isClosed
        let failure = ExchangeError.failed(.cancelFailed, error.description)
        finish(request, .failure(hasEnded ? ExchangeError(error, otherwise: .write) : failure))
    }

    /// Closes the stream, which ends a pending exchange.
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
            finish(request, .failure(.failed(.timedOut, "There was no reply within \(request.timeout.roundedText)")))
        }
    }

    /// Ends the request, unless it has ended.
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

    /// Continues without waiting for a late reply.
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
            // Either proves that the device has received the request.
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
