/// Finds a short part of a failing list that still fails: halves are left out while that fails, then quarters, and at
/// last single elements.
public struct ScheduleShrinker: Sendable {
    /// How many parts may be tried.
    let limit: Int

    /// Makes a shrinker that tries this many parts at most.
    public init(limit: Int = 100) { self.limit = limit }

    /// Cuts a list down.
    ///
    /// - Parameters:
    ///   - elements: the list.
    ///   - fails: whether a part fails. It is not asked of the whole.
    /// - Returns: the shortest part that was seen to fail, in order, and how many were tried.
    public nonisolated(nonsending) func shrink<Element: Sendable>(
        _ elements: [Element], while fails: nonisolated(nonsending) ([Element]) async throws -> Bool
    ) async rethrows -> (elements: [Element], tries: Int) {
        var shortest = elements
        var tries = 0
        var length = max(1, shortest.count / 2)
        while !shortest.isEmpty {
            var hasShrunk = false
            // From the end on: what comes last is most often what nothing depends on.
            var start = ((shortest.count - 1) / length) * length
            while start >= 0 {
                guard tries < limit else { return (shortest, tries) }
                var part = shortest
                part.removeSubrange(start..<min(part.count, start + length))
                tries += 1
                if try await fails(part) {
                    shortest = part
                    hasShrunk = true
                }
                start -= length
            }
            if hasShrunk, length == 1 { continue }
            guard length > 1 else { break }
            length = max(1, length / 2)
        }
        return (shortest, tries)
    }
}
