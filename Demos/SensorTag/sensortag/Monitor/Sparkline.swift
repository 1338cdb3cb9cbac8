/// Values over time as bars in one line.
enum Sparkline {
    static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    /// A bar is extended if the next value arrives within this time: the longest period and its measurement.
    private static let hold = 3.0

    /// A sample at a time in seconds.
    struct Sample: Equatable, Sendable {
        var time: Double
        var value: Double
    }

    /// How columns with several samples, or none, are shown.
    enum Kind: Sendable {
        /// Measured repeatedly: shows the mean; then the previous column for three seconds, then a blank.
        case measured
        /// Reported when it changes: shows the maximum; then the last sample until the next.
        case told
    }

    /// One character per column, each with an equal share of the time; the lowest bar for the minimum and the highest
    /// for the maximum.
    ///
    /// - Parameters:
    ///   - samples: ordered by time; those older than `seconds` or not numbers are left out.
    ///   - now: the right end.
    ///   - width: how many columns.
    static func text(
        _ samples: [Sample],
        _ kind: Kind = .measured,
        now: Double,
        seconds: Double = 60,
        width: Int
    ) -> String {
        guard width > 0, seconds > 0 else { return "" }
        let step = seconds / Double(width)
        // Columns are tied to the clock, not to `now`, so that bars move without changing.
        let last = (now / step).rounded(.down)
        var columns = [[Double]](repeating: [], count: width)
        var before: Double?
        for sample in samples where sample.value.isFinite {
            let column = (sample.time / step).rounded(.down) - last + Double(width - 1)
            if column < 0 { before = sample.value }
            guard column >= 0, column < Double(width), let index = Int(exactly: column) else { continue }
            columns[index].append(sample.value)
        }
        let values =
            switch kind {
            case .measured: measured(columns, hold: Int((hold / step).rounded(.up)))
            case .told: told(columns, before: before)
            }
        let known = values.compactMap { $0 }
        guard let least = known.min(), let greatest = known.max() else { return String(repeating: " ", count: width) }
        return String(values.map { $0.map { bar($0, least, greatest) } ?? " " })
    }

    private static func measured(_ columns: [[Double]], hold: Int) -> [Double?] {
        var last: (index: Int, value: Double)?
        return columns.enumerated().map { index, values in
            if !values.isEmpty {
                let mean = values.reduce(0, +) / Double(values.count)
                last = (index, mean)
                return mean
            }
            guard let last, index - last.index <= hold else { return nil }
            return last.value
        }
    }

    private static func told(_ columns: [[Double]], before: Double?) -> [Double?] {
        var last = before
        return columns.map { values in
            let value = values.max() ?? last
            last = values.last ?? last
            return value
        }
    }

    private static func bar(_ value: Double, _ least: Double, _ greatest: Double) -> Character {
        let span = greatest - least
        guard span > 0, span.isFinite else { return greatest == 0 ? bars[0] : bars[bars.count / 2 - 1] }
        let index = Int((value - least) / span * Double(bars.count - 1) + 0.5)
        return bars[min(max(index, 0), bars.count - 1)]
    }
}
