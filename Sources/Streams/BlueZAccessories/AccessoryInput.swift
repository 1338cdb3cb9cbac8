import BlueZSerial
import CoreBlueZ
import FoundationEssentials

/// The input end of a session. Take the bytes with events and `takeBytes`, with `read`, or with the sequence `bytes`,
/// but only one of these at a time. Up to 64 KiB of bytes that are not taken are kept here. Beyond that, the stream
/// below keeps them, or the device has to wait if it can.
@BluetoothActor public final class AccessoryInput {
    /// Whether this end is open or, if not, how it has ended.
    public private(set) var status = AccessoryStreamStatus.open
    /// Called with the events of this end, starting with `openCompleted`.
    public var eventHandler: (@BluetoothActor (AccessoryStreamEvent) -> Void)? { didSet { greet() } }
    /// Whether there are bytes to take.
    public var hasBytesAvailable: Bool { !buffer.isEmpty }

    /// A reader that waits for bytes. From the moment its task is cancelled, on any thread, it takes no bytes.
    private final class Reader: Sendable {
        @BluetoothActor var completion: (@BluetoothActor (Data?, BluetoothError?) -> Void)?
        private let cancellation = Lock(false)

        var isCancelled: Bool { cancellation.withLock { $0 } }

        func cancel() { cancellation.withLock { $0 = true } }

        @BluetoothActor func finish(_ bytes: Data?, _ error: BluetoothError?) {
            completion.take()?(bytes, error)
        }
    }

    private let stream: any BufferedByteStream
    private var buffer = Data()
    private var reader: Reader?
    /// The stream's `receiverChanges` when its handler was set here.
    private var changes = 0
    private var isAnnounced = false
    private var isGreeted = false
    /// The way in which the stream below has ended; nil while it is open.
    private var ending: AccessoryStreamStatus?
    private var endError: BluetoothError?

    private static let capacity = 1 << 16

    init(_ stream: any BufferedByteStream) {
        self.stream = stream
        // A serial port that was opened before may still have a handler.
        setHandler(nil)
        resume()
    }

    // MARK: Taking

    /// Returns bytes that have arrived, and removes them; empty if there are none.
    ///
    /// - Parameter limit: the maximum number of bytes.
    public func takeBytes(_ limit: Int = .max) -> Data {
        let taken = Data(buffer.prefix(max(0, limit)))
        buffer = Data(buffer.dropFirst(taken.count))
        isAnnounced = false
        resume()
        announceSoon()
        return taken
    }

    /// Waits for bytes and takes them. It fails with `busy` if another read is waiting, and when the session has ended
    /// and all bytes are taken, with the error of its end, such as `disconnected`.
    ///
    /// - Parameter completion: gets one or more bytes, or the error. After `AccessorySession.close`, it gets neither.
    public func read(completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void) {
        let reader = Reader()
        reader.completion = completion
        begin(reader)
    }

    /// Waits for bytes and returns them; the async form of `read(completion:)`. It returns nil after
    /// `AccessorySession.close`, or if the task is cancelled. A task that is cancelled before bytes arrive takes none,
    /// so the next reader gets them.
    public func read() async throws(BluetoothError) -> Data? {
        let reader = Reader()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Data?, BluetoothError>, Never>) in
                guard !Task.isCancelled else { return continuation.resume(returning: .success(nil)) }
                reader.completion = { data, error in
                    continuation.resume(returning: error.map { .failure($0) } ?? .success(data))
                }
                begin(reader)
            }
        } onCancel: {
            reader.cancel()
            BluetoothActor.perform { self.leaveIfCancelled() }
        }
        return try result.get()
    }

    /// The bytes as a sequence, in pieces of any size. It ends after `AccessorySession.close`, and throws the error of
    /// any other end. The device has to wait for a slow consumer, if it can.
    public nonisolated var bytes: AccessoryBytes { AccessoryBytes(input: self) }

    private func begin(_ reader: Reader) {
        leaveIfCancelled()
        if self.reader == nil {
            self.reader = reader
            BluetoothActor.perform { [self] in serve() }
        } else {
            let error = BluetoothError(.busy, "Somebody is reading from \(stream.title) already")
            BluetoothActor.perform { reader.finish(nil, error) }
        }
    }

    /// Ends the reader whose task was cancelled, but no other.
    private func leaveIfCancelled() {
        guard let reader, reader.isCancelled else { return }
        self.reader = nil
        reader.finish(nil, nil)
        announceSoon()
    }

    private func serve() {
        leaveIfCancelled()
        guard let reader else { return }
        if !buffer.isEmpty {
            self.reader = nil
            reader.finish(takeBytes(), nil)
        } else if status != .open {
            self.reader = nil
            reader.finish(nil, status == .closed ? nil : endError)
        }
    }

    // MARK: The stream below

    private func resume() {
        let hasRoom = buffer.count < Self.capacity || ending != nil
        guard status == .open, isOurs, stream.receiveHandler == nil, hasRoom else { return }
        setHandler { [weak self] in self?.receive($0) }
    }

    private func setHandler(_ handler: (@BluetoothActor (Data) -> Void)?) {
        stream.receiveHandler = handler
        changes = stream.receiverChanges
    }

    /// Whether the stream still belongs to this session. A serial port can be opened again before all bytes were taken.
    private var isOurs: Bool { stream.receiverChanges == changes }

    private func receive(_ bytes: Data) {
        buffer += bytes
        // After the end, nothing more will arrive, so the remaining bytes are taken immediately.
        if buffer.count >= Self.capacity, ending == nil { setHandler(nil) }
        serve()
        if !buffer.isEmpty { announceSoon() }
    }

    /// Called when the stream below has ended. The bytes that it still has are delivered first.
    func end(_ error: BluetoothError?) {
        guard ending == nil else { return }
        endError = error
        ending = AccessoryStreamStatus(error)
        if ending == .closed { buffer.removeAll() }
        resume()
        endIfDrained()
    }

    private func endIfDrained() {
        guard let ending, status == .open else { return }
        if ending != .closed, isOurs, stream.hasUntakenBytes {
            return BluetoothActor.perform { [self] in endIfDrained() }
        }
        guard buffer.isEmpty else { return announceSoon() }
        status = ending
        // Bytes that arrive when the port is opened again must wait for the new session.
        if isOurs { setHandler(nil) }
        serve()
        if isGreeted { eventHandler?(ending.event) }
    }

    // MARK: Events

    private func greet() {
        guard eventHandler != nil else { return }
        BluetoothActor.perform { [self] in
            guard let eventHandler, !isGreeted else { return }
            isGreeted = true
            eventHandler(.openCompleted)
            if status == .open { announceSoon() } else { self.eventHandler?(status.event) }
        }
    }

    private func announceSoon() {
        BluetoothActor.perform { [weak self] in self?.announce() }
    }

    private func announce() {
        if buffer.isEmpty { return endIfDrained() }
        guard isGreeted, !isAnnounced, reader == nil else { return }
        isAnnounced = true
        eventHandler?(.hasBytesAvailable)
    }
}

/// The bytes of a session's input as a sequence; see `AccessoryInput.bytes`.
public struct AccessoryBytes: AsyncSequence, Sendable {
    /// An iterator, which takes the pieces one after another.
    public struct Iterator: AsyncIteratorProtocol {
        let input: AccessoryInput

        /// Returns the next piece, or nil at the end or if the task was cancelled.
        public mutating func next() async throws(BluetoothError) -> Data? { try await input.read() }

        /// Returns the next piece, or nil at the end or if the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(BluetoothError) -> Data? {
            try await input.read()
        }
    }

    let input: AccessoryInput

    /// Creates an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(input: input) }
}
