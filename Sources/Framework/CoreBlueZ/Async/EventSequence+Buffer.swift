import BlueZDBus
import DequeModule

extension EventSequence {
    /// The source of a sequence. It holds the buffered elements, or a consumer that waits for one. Elements are added on
    /// the actor, and can be taken anywhere.
    ///
    /// ```swift
    /// func readings(limit: Int = 100) -> EventSequence<Reading> {
    ///     let buffer = EventSequence<Reading>.Buffer(limit: limit)
    ///     readingHandler = { buffer.append($0) }
    ///     buffer.whenEnded { [weak self] in self?.readingHandler = nil }
    ///     return EventSequence(buffer)
    /// }
    /// ```
    public final class Buffer: Sendable {
        typealias Continuation = CheckedContinuation<Result<Element?, BluetoothError>, Never>

        /// An object, because moving a continuation with the rest of the state is expensive.
        private final class Consumer: Sendable {
            private let continuation: Continuation

            init(_ continuation: Continuation) {
                self.continuation = continuation
            }

            func resume(returning result: Result<Element?, BluetoothError>) { continuation.resume(returning: result) }
        }

        private struct State {
            var elements: Deque<Element> = []
            var ending: Result<Void, BluetoothError>?
            var consumer: Consumer?
            /// Runs once, when no more elements will be taken: the sequence has ended, its consumer was cancelled, or
            /// all references to it are gone.
            var atEnd: (@BluetoothActor () -> Void)?
        }

        private let limit: Int
        private let state = Lock(State())

        /// Creates an empty buffer.
        ///
        /// - Parameter limit: how many elements may wait for the consumer, at least 1. One more ends the sequence with
        ///   `BluetoothError.Code.overflow`, after the buffered elements.
        public init(limit: Int) {
            self.limit = Swift.max(1, limit)
        }

        /// Adds an element. After the end it does nothing.
        @BluetoothActor public func append(_ element: Element) {
            let (consumer, hasPlace) = state.withLock { state -> (Consumer?, Bool) in
                guard state.ending == nil else { return (nil, true) }
                if let consumer = state.consumer.take() { return (consumer, true) }
                guard state.elements.count < limit else { return (nil, false) }
                state.elements.append(element)
                return (nil, true)
            }
            consumer?.resume(returning: .success(element))
            guard !hasPlace else { return }
            finish(BluetoothError(.overflow, "More than \(limit) values waited to be taken: the consumer is too slow"))
        }

        /// Whether the sequence has ended.
        public var isFinished: Bool { state.withLock { $0.ending != nil } }

        /// Runs `body` once, when no more elements are accepted: the sequence has ended, its consumer was cancelled, or
        /// nothing refers to it any longer. If that has already happened, it runs immediately. A later call replaces
        /// the closure.
        @BluetoothActor public func whenEnded(_ body: @escaping @BluetoothActor () -> Void) {
            let isFinished = state.withLock { state in
                guard state.ending == nil else { return true }
                state.atEnd = body
                return false
            }
            if isFinished { body() }
        }

        /// Ends the sequence after the buffered elements. Later calls do nothing.
        ///
        /// - Parameter error: what the consumer then gets; nil for an end without an error.
        @BluetoothActor public func finish(_ error: BluetoothError?) {
            let (consumer, result, atEnd) = state.withLock { state in
                guard state.ending == nil else { return (Consumer?.none, Self.end, state.atEnd.take()) }
                state.ending = Result(failure: error)
                let consumer = state.consumer.take()
                return (consumer, consumer == nil ? Self.end : Self.takeEnd(&state), state.atEnd.take())
            }
            consumer?.resume(returning: result)
            atEnd?()
        }

        private static var end: Result<Element?, BluetoothError> { .success(nil) }

        /// The result for the first consumer that reaches the end: the error, if there is one. Later ones get nil.
        private static func takeEnd(_ state: inout State) -> Result<Element?, BluetoothError> {
            guard let ending = state.ending else { return end }
            state.ending = .success(())
            return ending.map { nil }
        }

        // MARK: The consumer

        /// Takes a buffered element, if there is one. `next` checks for cancellation; this method does not.
        func take() -> Element? {
            guard !Task.isCancelled else { return nil }
            return state.withLock { $0.elements.popFirst() }
        }

        /// Returns the next element, or nil at the end. If two consumers call it at the same time, the second one gets
        /// nil.
        ///
        /// All checks are made inside the continuation, because the task may be suspended once more before it.
        nonisolated(nonsending) func next() async throws(BluetoothError) -> Element? {
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { (continuation: Continuation) in
                    if let result = takeOrWait(continuation) { continuation.resume(returning: result) }
                }
            } onCancel: {
                BluetoothActor.perform { self.cancel() }
            }
            return try result.get()
        }

        /// Returns a consumer's result, or nil if it must wait.
        private func takeOrWait(_ continuation: Continuation) -> Result<Element?, BluetoothError>? {
            state.withLock { state in
                if let element = state.elements.popFirst() { return .success(element) }
                if state.ending != nil { return Self.takeEnd(&state) }
                if state.consumer != nil || Task.isCancelled { return Self.end }
                state.consumer = Consumer(continuation)
                return nil
            }
        }

        /// Stops a cancelled consumer's wait. A producer that uses `atEnd` stops too.
        @BluetoothActor private func cancel() {
            let (consumer, isWatched) = state.withLock { state in (state.consumer.take(), state.atEnd != nil) }
            consumer?.resume(returning: Self.end)
            if isWatched { finish(nil) }
        }
    }
}
