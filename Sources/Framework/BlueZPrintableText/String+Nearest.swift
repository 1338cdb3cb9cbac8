extension String {
    /// The name that was probably meant: the nearest one with at most two typing errors, or one if it is short.
    package func nearest(among names: [String]) -> String? {
        guard utf8.count <= 40 else { return nil }
        let word = lowercased()
        let near = names.map { (name: $0, distance: Self.distance(word, $0)) }
            .filter { $0.distance <= ($0.name.count < 6 ? 1 : 2) }
        if let best = near.min(by: { $0.distance < $1.distance }) { return best.name }
        let longer = names.filter { $0.hasPrefix(word) }
        return longer.count == 1 && word.count > 1 ? longer.first : nil
    }

    /// How many letters must be inserted, removed, replaced, or exchanged with the next one.
    package static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var before: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                let replaced = last[column] + (one[row] == other[column] ? 0 : 1)
                var least = Swift.min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    least = Swift.min(least, before[column - 1] + 1)
                }
                current.append(least)
            }
            (before, last) = (last, current)
        }
        return last[other.count]
    }
}
