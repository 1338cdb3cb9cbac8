/// The handles that a discovery has covered.
struct HandleRanges: Equatable {
    /// More are not needed: a discovery goes on from one end to the next.
    private static let mostRanges = 4096

    private var ranges: [ClosedRange<Int>] = []

    mutating func insert(_ start: Int, _ end: Int) {
        guard start <= end else { return }
        var (lower, upper) = (start, end)
        var others: [ClosedRange<Int>] = []
        for range in ranges {
            if range.upperBound + 1 < lower || range.lowerBound > upper + 1 {
                others.append(range)
            } else {
                lower = min(lower, range.lowerBound)
                upper = max(upper, range.upperBound)
            }
        }
        guard others.count < Self.mostRanges else { return }
        ranges = others + [lower...upper]
    }

    /// Whether all handles from `start` to `end` are covered.
    func contain(_ start: Int, _ end: Int) -> Bool {
        start > end || ranges.contains { $0.lowerBound <= start && $0.upperBound >= end }
    }
}
