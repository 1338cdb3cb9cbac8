/// Elements that arrive over time, as an asynchronous sequence for one consumer.
///
/// Elements that the consumer has not taken yet are buffered up to a limit. One more, and the sequence ends with
/// `BluetoothError.Code.overflow`.
public struct EventSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// The buffered elements, and the consumer if one is waiting.
    @BluetoothActor package final class Buffer {
        typealias Continuation = CheckedContinuation<Result<Element?, BluetoothError>, Never>

        private let limit: Int
        private var elements: [Element] = []
        private var first = 0
        private var ending: Result<Void, BluetoothError>?
        private var consumer: Continuation?
        /// Runs once, when no more elements can be taken: the sequence has ended, its consumer was cancelled, or the
        /// last reference to it is gone.
        private var atEnd: (@BluetoothActor () -> Void)?

        package nonisolated init(limit: Int) {
            self.limit = Swift.max(1, limit)
        }

        package func append(_ element: Element) {
            guard ending == nil else { return }
            if let consumer {
                self.consumer = nil
                consumer.resume(returning: .success(element))
            } else if elements.count - first < limit {
                elements.append(element)
            } else {
                finish(
                    BluetoothError(.overflow, "More than \(limit) values waited to be taken: the consumer is too slow"))
            }
        }

        package var isFinished: Bool { ending != nil }

        /// Runs `body` when the sequence has ended, or at once if it already has.
        package func whenEnded(_ body: @escaping @BluetoothActor () -> Void) {
            if isFinished { body() } else { atEnd = body }
        }

        package func finish(_ error: BluetoothError?) {
            guard ending == nil else { return }
            ending = error.map { .failure($0) } ?? .success(())
            let atEnd = atEnd
            self.atEnd = nil
            defer { atEnd?() }
            guard let consumer else { return }
            self.consumer = nil
            consumer.resume(returning: end())
        }

        private func end() -> Result<Element?, BluetoothError> {
            guard let ending else { return .success(nil) }
            self.ending = .success(())
            return ending.map { nil }
        }

        /// The next element, or nil at the end. A second consumer at the same time gets nil.
        ///
        /// Everything is checked inside the continuation: before it, the task may be suspended once more.
        func next() async throws(BluetoothError) -> Element? {
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { (continuation: Continuation) in
                    if let result = available() {
                        continuation.resume(returning: result)
                    } else {
                        consumer = continuation
                    }
                }
            } onCancel: {
                BluetoothActor.later { self.cancel() }
            }
            return try result.get()
        }

        /// What a consumer gets at once, or nil if it must wait.
        private func available() -> Result<Element?, BluetoothError>? {
            if first < elements.count {
                defer { drop() }
                return .success(elements[first])
            }
            if ending != nil { return end() }
            return consumer != nil || Task.isCancelled ? .success(nil) : nil
        }

        /// A cancelled consumer takes no more elements. A producer that asked to know ends.
        private func cancel() {
            consumer?.resume(returning: .success(nil))
            consumer = nil
            if atEnd != nil { finish(nil) }
        }

        private func drop() {
            first += 1
            guard first > 64, first * 2 > elements.count else { return }
            elements.removeFirst(first)
            first = 0
        }
    }

    /// Ends the sequence when its last consumer is gone.
    final class Lifetime: Sendable {
        private let buffer: Buffer

        init(_ buffer: Buffer) {
            self.buffer = buffer
        }

        deinit {
            BluetoothActor.later { [buffer] in buffer.finish(nil) }
        }
    }

    /// Takes the elements one by one.
    public struct Iterator: AsyncIteratorProtocol {
        let buffer: Buffer
        let lifetime: Lifetime

        /// The next element, or nil at the end or if the task was cancelled.
        public mutating func next() async throws(BluetoothError) -> Element? {
            try await buffer.next()
        }

        /// The next element, or nil at the end or if the task was cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BluetoothError) -> Element? {
            try await buffer.next()
        }
    }

    let buffer: Buffer
    private let lifetime: Lifetime

    package init(_ buffer: Buffer) {
        self.buffer = buffer
        lifetime = Lifetime(buffer)
    }

    /// Starts to take elements.
    public func makeAsyncIterator() -> Iterator {
        Iterator(buffer: buffer, lifetime: lifetime)
    }
}
