/// The handles that a discovery has covered.
struct HandleRanges: Equatable {
    /// More are not needed: a discovery goes on from one end to the next.
    private static let mostRanges = 4096

    /// In the order of the handles, with handles between them that are not covered.
    private var ranges: [ClosedRange<Int>] = []

    mutating func insert(_ start: Int, _ end: Int) {
        guard start <= end else { return }
        let first = firstIndex(reaching: start - 1)
        var (lower, upper) = (start, end)
        var next = first
        while next < ranges.count, ranges[next].lowerBound <= end + 1 {
            lower = min(lower, ranges[next].lowerBound)
            upper = max(upper, ranges[next].upperBound)
            next += 1
        }
        guard next > first || ranges.count < Self.mostRanges else { return }
        ranges.replaceSubrange(first..<next, with: [lower...upper])
    }

    /// Whether all handles from `start` to `end` are covered.
    func contain(_ start: Int, _ end: Int) -> Bool {
        guard start <= end else { return true }
        let index = firstIndex(reaching: start)
        return index < ranges.count && ranges[index].lowerBound <= start && ranges[index].upperBound >= end
    }

    /// The first range that ends at this handle or behind it.
    private func firstIndex(reaching handle: Int) -> Int { ranges.firstIndex(from: handle, by: \.upperBound) }
}

/// Handles in their order.
struct SortedHandles: Equatable {
    private(set) var handles: [UInt16] = []

    mutating func insert(_ handle: UInt16) {
        let index = firstIndex(from: handle)
        if index == handles.count || handles[index] != handle { handles.insert(handle, at: index) }
    }

    /// The handles from this one on.
    func from(_ handle: UInt16) -> ArraySlice<UInt16> { handles[firstIndex(from: handle)...] }

    private func firstIndex(from handle: UInt16) -> Int { handles.firstIndex(from: handle, by: \.self) }
}

extension Array {
    /// The position of the first element, in the order of their keys, whose key is this one or a greater one.
    fileprivate func firstIndex<Key: Comparable>(from key: Key, by path: KeyPath<Element, Key>) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle][keyPath: path] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
