import CoreBlueZ
import FoundationEssentials

/// Messages over a byte stream. It takes over the stream's handlers.
@BluetoothActor public final class FramedStream<Message: Sendable> {
    /// A message, or bytes that are not one.
    public typealias Event = Result<Message, FramingError>

    /// The stream that carries the bytes.
    public let stream: any ByteStream

    /// Receives messages and errors, in order. While it is nil, they wait, most of them as bytes in the stream.
    public var receiveHandler: (@BluetoothActor (Event) -> Void)? {
        didSet {
            receiverChanges += 1
            handlerDidChange()
        }
    }
    /// How often `receiveHandler` was set.
    private(set) var receiverChanges = 0
    /// The sequence that takes what arrives, if one does.
    var sequence: EventSequence<Event>.Buffer?

    /// Called once when the stream has ended, after the events that a handler has taken: with nil after `close`,
    /// otherwise with the error. If the stream has already ended, the handler is called soon after it is set.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? {
        didSet { if ending != nil { BluetoothActor.later { [weak self] in self?.reportEnd() } } }
    }

    /// How many times bytes have arrived.
    private(set) var arrivals = 0

    private var framing: any Framing<Message>
    private var waiting: [Event] = []
    private var isDelivering = false
    private var idleTimer: ScheduledCall?
    /// The stream's `receiverChanges` after this object set its handler.
    private var streamReceiverChanges: Int?
    /// Whether the stream has ended since this object was made.
    private var hasEnded = false
    /// The end that has not been reported yet.
    private var ending: Result<Void, BluetoothError>?

    /// Messages of the framing over the stream.
    public init(_ stream: any ByteStream, framing: some Framing<Message>) {
        self.stream = stream
        self.framing = framing
        stream.endHandler = { [weak self] error in self?.streamDidEnd(error) }
    }

    isolated deinit {
        idleTimer?.cancel()
        sequence?.finish(nil)
        // What arrives now waits for the next consumer.
        if stream.receiverChanges == streamReceiverChanges { stream.receiveHandler = nil }
    }

    /// Whether messages can be sent and received.
    public var isOpen: Bool { stream.isOpen }

    /// Whether part of an incomplete message has arrived.
    public var isIncomplete: Bool { framing.isIncomplete }

    /// Sends a message after those of earlier calls; see `ByteStream.send(_:handedOver:completion:)`.
    ///
    /// - Parameters:
    ///   - message: the message to send.
    ///   - handedOver: called when the last of the message's bytes begins to be sent.
    ///   - completion: gets nil when the peer has confirmed the message, as far as the stream can know, or an error if
    ///     it may not have arrived. Runs exactly once.
    /// - Returns: withdraws the part of the message that has not been sent; nil if the framing cannot send it.
    @discardableResult
    public func send(
        _ message: Message,
        handedOver: @escaping @BluetoothActor () -> Void = {},
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) -> (any SendRequest)? {
        do throws(BluetoothError) {
            return stream.send(try framing.encode(message), handedOver: handedOver, completion: completion)
        } catch {
            BluetoothActor.later { completion(error) }
            return nil
        }
    }

    /// Discards an incomplete message.
    public func clear() {
        framing.clear()
        restartIdleTimer()
    }

    /// Ends the stream.
    public func close() {
        stream.close()
    }

    // MARK: What arrives

    private func handlerDidChange() {
        guard receiveHandler != nil else { return stream.receiveHandler = nil }
        if !waiting.isEmpty { BluetoothActor.later { [weak self] in self?.deliver([]) } }
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

    /// A handler may clear the handler, or close the stream.
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
        ending = error.map { .failure($0) } ?? .success(())
        reportEnd()
    }

    /// All bytes taken from the ended stream have arrived. Without a handler, bytes still wait in the stream.
    private func bytesDidEnd(_ error: BluetoothError?) {
        if receiveHandler != nil {
            idleTimer?.cancel()
            deliver(framing.finish())
        }
        let sequence = sequence
        self.sequence = nil
        sequence?.finish(error)
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
