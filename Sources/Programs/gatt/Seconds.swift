import ArgumentParser

/// A time in the usual notation: seconds, or a number with `ms`, `s`, `m` or `h`.
struct Seconds: ExpressibleByArgument {
    let duration: Duration

    /// A century: a longer time is a mistake, and this is still far below the limit of a Duration.
    private static let maximum = 3.2e9

    init?(argument: String) {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
        let unit = units.first { argument.hasSuffix($0.0) }
        let digits = argument.dropLast(unit?.0.count ?? 0)
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits) else {
            return nil
        }
        let seconds = number * (unit?.1 ?? 1)
        guard seconds <= Self.maximum else { return nil }
        duration = .seconds(seconds)
    }

    init(_ seconds: Int) {
        duration = .seconds(seconds)
    }

    var defaultValueDescription: String { "\(duration.components.seconds) s" }
}
