/// The consumer of a sequence, whose task is cancelled.
public enum CancelledConsumer: CaseIterable, Sendable {
    /// Before it asks for the first element.
    case early
    /// While it waits, or is about to.
    case waiting

    /// How many elements it gets until the sequence ends.
    ///
    /// - Throws: what the sequence throws.
    public func count<Elements: AsyncSequence & Sendable>(of elements: Elements) async throws -> Int {
        let task = Task {
            if self == .early {
                while !Task.isCancelled { await Task.yield() }
            }
            var count = 0
            for try await _ in elements { count += 1 }
            return count
        }
        if self == .waiting { await Task.yield() }
        task.cancel()
        return try await task.value
    }
}
