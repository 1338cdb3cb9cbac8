import CoreBlueZ
import FoundationEssentials

/// A stream of messages over a byte stream, whose handlers it takes over.
@BluetoothActor public final class FramedStream<Message: Sendable> {
    /// A message, or an error with bytes that are not a message.
    public typealias Event = Result<Message, FramingError>

    /// The stream that carries the bytes.
    public let stream: any ByteStream

    /// Called with messages and errors, in order. While it is nil, they wait, most of them as bytes in the stream.
    public var receiveHandler: (@BluetoothActor (Event) -> Void)? {
        didSet {
            receiverChanges += 1
            handlerDidChange()
        }
    }
    /// The number of times that `receiveHandler` was set.
    private(set) var receiverChanges = 0
    /// The sequence that takes the messages, if there is one.
    var sequence: EventSequence<Event>.Buffer?

    /// Called once when the stream has ended, after the events that a handler has taken, with nil after `close`,
    /// otherwise with the error. If the stream has already ended, the handler is called soon after it is set.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? {
        didSet { if ending != nil { BluetoothActor.perform { [weak self] in self?.reportEnd() } } }
    }

    /// The number of times that bytes have arrived.
    private(set) var arrivals = 0
    /// The framing, which has received the bytes that have arrived.
    private(set) var framing: any Framing<Message>

    private var waiting: [Event] = []
    private var isDelivering = false
    private var idleTimer: ScheduledCall?
    /// The stream's `receiverChanges` after this object set its handler.
    private var streamReceiverChanges: Int?
    /// Whether the stream has ended since this object was created.
    private var hasEnded = false
    /// The end that has not been reported yet.
    private var ending: Result<Void, BluetoothError>?

    /// Creates a stream of the framing's messages over a byte stream.
    public init(_ stream: any ByteStream, framing: some Framing<Message>) {
        self.stream = stream
        self.framing = framing
        stream.endHandler = { [weak self] error in self?.streamDidEnd(error) }
    }

    isolated deinit {
        idleTimer?.cancel()
        sequence?.finish(nil)
        // Bytes that arrive from now on wait for the next consumer.
        if stream.receiverChanges == streamReceiverChanges { stream.receiveHandler = nil }
    }

    /// Whether messages can be sent and received.
    public var isOpen: Bool { stream.isOpen }

    /// Whether part of an incomplete message has arrived.
    public var isIncomplete: Bool { framing.isIncomplete }

    /// Sends a message after those of earlier calls; see `ByteStream.send(_:handedOver:completion:)`, whose errors it
    /// has. It also fails with those of `Framing.encode(_:)`.
    ///
    /// - Parameters:
    ///   - message: the message to send.
    ///   - handedOver: called when the last of the message's bytes begins to be sent.
    ///   - completion: gets nil when the peer has confirmed the message, as far as the stream can know, or an error if
    ///     it may not have arrived. Called exactly once.
    /// - Returns: the request, which can withdraw the part of the message that has not been sent, or nil if the framing
    ///   cannot encode the message.
    @discardableResult
    public func send(
        _ message: Message,
        handedOver: @escaping @BluetoothActor () -> Void = {},
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) -> (any SendRequest)? {
        do throws(BluetoothError) {
            return stream.send(try framing.encode(message), handedOver: handedOver, completion: completion)
        } catch {
            BluetoothActor.perform { completion(error) }
            return nil
        }
    }

    /// Discards an incomplete message.
    public func clear() {
        framing.clear()
        restartIdleTimer()
    }

    /// Closes the stream.
    public func close() {
        stream.close()
    }

    // MARK: What arrives

    private func handlerDidChange() {
        guard receiveHandler != nil else { return stream.receiveHandler = nil }
        if !waiting.isEmpty { BluetoothActor.perform { [weak self] in self?.deliver([]) } }
        if hasEnded, !stream.isOpen {
            stream.receiverEndHandler = { [weak self] error in self?.bytesDidEnd(error) }
        }
        streamReceiverChanges = stream.receiverChanges + 1
        stream.receiveHandler = { [weak self] bytes in
            guard let self else { return }
            self.arrivals += 1
            self.deliver(self.framing.receive(bytes))
            self.restartIdleTimer()
        }
    }

    /// Delivers events. A handler may remove itself, or close the stream.
    private func deliver(_ events: [Event]) {
        waiting += events
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        var count = 0
        while count < waiting.count, let receiveHandler {
            count += 1
            receiveHandler(waiting[count - 1])
        }
        waiting.removeFirst(count)
    }

    private func restartIdleTimer() {
        idleTimer?.cancel()
        idleTimer = framing.idleDeadline.map { delay in
            BluetoothActor.after(delay) { [weak self] in
                guard let self else { return }
                self.deliver(self.framing.idle())
                self.restartIdleTimer()
            }
        }
    }

    private func streamDidEnd(_ error: BluetoothError?) {
        bytesDidEnd(error)
        hasEnded = true
        ending = Result(failure: error)
        reportEnd()
    }

    /// Called when all bytes of the ended stream have arrived. Without a handler, bytes still wait in the stream.
    private func bytesDidEnd(_ error: BluetoothError?) {
        if receiveHandler != nil {
            idleTimer?.cancel()
            deliver(framing.finish())
        }
        sequence.take()?.finish(error)
    }

    private func reportEnd() {
        guard let ending, let endHandler else { return }
        self.ending = nil
        switch ending {
        case .success: endHandler(nil)
        case .failure(let error): endHandler(error)
        }
    }
}
