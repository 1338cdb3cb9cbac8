import ArgumentParser

/// A period for one sensor or for all, as `500`, `shortest`, or `barometer=500`.
struct PeriodChoice: ExpressibleByArgument, Equatable, Sendable {
    /// The sensor's name; nil for all.
    let sensor: String?
    /// The period; nil for the shortest.
    let milliseconds: Int?

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2 {
            guard let choice = SensorChoice(rawValue: parts[0]) else { return nil }
            sensor = choice == .all ? nil : choice.rawValue
        } else {
            sensor = nil
        }
        if parts.last == "shortest" {
            milliseconds = nil
        } else {
            guard let number = parts.last.flatMap({ Int($0) }), (1...2550).contains(number) else { return nil }
            milliseconds = number
        }
    }

    func isFor(_ name: String) -> Bool { sensor == nil || sensor == name }

    /// The nearest period that a sensor accepts.
    func milliseconds(within limits: ClosedRange<Int>) -> Int {
        guard let milliseconds else { return limits.lowerBound }
        return min(max(milliseconds, limits.lowerBound), limits.upperBound)
    }
}
