/// Elements that arrive over time, as an asynchronous sequence for one consumer.
///
/// Elements that the consumer has not taken yet are buffered up to a limit. Beyond it the sequence ends with
/// `BluetoothError.Code.overflow`.
///
/// If the consumer's task is cancelled, it gets the buffered elements, and then the end, as from an `AsyncStream`: nil,
/// not `BluetoothError.Code.cancelled`. Check `Task.isCancelled` after the loop if the reason matters.
public struct EventSequence<Element: Sendable>: AsyncSequence, Sendable {
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
        @usableFromInline let take: @Sendable () -> Element?
        @usableFromInline let wait: nonisolated(nonsending) @Sendable () async throws(BluetoothError) -> Element?
        let lifetime: Lifetime

        /// The next element; nil at the end, or if the task was cancelled and none is buffered.
        @inlinable public mutating func next() async throws(BluetoothError) -> Element? {
            if let element = take() { return element }
            return try await wait()
        }

        /// The next element; nil at the end, or if the task was cancelled and none is buffered. A buffered element is
        /// taken where the consumer runs, without a wait.
        @inlinable public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BluetoothError) -> Element? {
            if let element = take() { return element }
            return try await wait()
        }
    }

    /// Takes a buffered element. A closure, like `next`: made here for the elements' type, which a consumer in another
    /// module would otherwise look up for each element.
    private let take: @Sendable () -> Element?
    private let wait: nonisolated(nonsending) @Sendable () async throws(BluetoothError) -> Element?
    private let lifetime: Lifetime

    package init(_ buffer: Buffer) {
        take = { buffer.take() }
        wait = { () async throws(BluetoothError) -> Element? in try await buffer.next() }
        lifetime = Lifetime(buffer)
    }

    /// Makes an iterator, which takes the elements.
    public func makeAsyncIterator() -> Iterator {
        Iterator(take: take, wait: wait, lifetime: lifetime)
    }
}
