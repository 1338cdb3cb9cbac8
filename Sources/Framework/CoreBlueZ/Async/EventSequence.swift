/// Elements that arrive over time, as an asynchronous sequence for one consumer.
///
/// Elements that the consumer has not taken yet are buffered, up to a limit. If the limit is exceeded, the sequence
/// throws `BluetoothError.Code.overflow` after the buffered elements.
///
/// If the consumer's task is cancelled, the consumer gets the buffered elements and then nil, as from an `AsyncStream`.
/// The sequence doesn't throw `BluetoothError.Code.cancelled`. Check `Task.isCancelled` after the loop if the reason
/// matters.
public struct EventSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// Ends the sequence when its last consumer is gone.
    final class Lifetime: Sendable {
        private let buffer: Buffer

        init(_ buffer: Buffer) {
            self.buffer = buffer
        }

        deinit {
            BluetoothActor.perform { [buffer] in buffer.finish(nil) }
        }
    }

    /// An iterator, which takes the elements one by one. Use it in one task only.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let take: @Sendable () -> Element?
        @usableFromInline let wait: nonisolated(nonsending) @Sendable () async throws(BluetoothError) -> Element?
        let lifetime: Lifetime

        /// Returns the next element, or nil at the end, or if the task was cancelled and no element is buffered.
        @inlinable public mutating func next() async throws(BluetoothError) -> Element? {
            if let element = take() { return element }
            return try await wait()
        }

        /// Returns the next element, or nil at the end, or if the task was cancelled and no element is buffered. A
        /// buffered element is returned without suspending.
        @inlinable public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BluetoothError) -> Element? {
            if let element = take() { return element }
            return try await wait()
        }
    }

    /// Takes a buffered element. A closure, like `next`, because it is specialized for the element type here. A
    /// consumer in another module would otherwise look the type up for each element.
    private let take: @Sendable () -> Element?
    private let wait: nonisolated(nonsending) @Sendable () async throws(BluetoothError) -> Element?
    private let lifetime: Lifetime

    /// Creates the sequence of what a buffer gets.
    public init(_ buffer: Buffer) {
        take = { buffer.take() }
        wait = { () async throws(BluetoothError) -> Element? in try await buffer.next() }
        lifetime = Lifetime(buffer)
    }

    /// Creates an iterator. All iterators of a sequence take from the same buffer, so use only one.
    public func makeAsyncIterator() -> Iterator {
        Iterator(take: take, wait: wait, lifetime: lifetime)
    }
}
