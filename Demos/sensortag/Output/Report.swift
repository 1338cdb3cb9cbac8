import FoundationEssentials

/// One line of output: what one sensor reported at one time.
struct Report: Sendable {
    /// One value of the report.
    struct Field: Sendable {
        enum Value: Sendable {
            case number(Double, unit: String, decimals: Int)
            case flag(Bool)
            case text(String)
            case missing
        }

        /// The name in JSON, with the unit.
        let key: String
        /// The name for users.
        let label: String
        let value: Value
        /// The number of decimals that the sensor can resolve, which tables show.
        var resolution = 2
    }

    let sensor: String
    let fields: [Field]
}

extension Report.Field {
    static func number(
        _ key: String, _ label: String, _ value: Double?, _ unit: String, decimals: Int = 2, resolution: Int? = nil
    )
        -> Self
    {
        guard let value, value.isFinite else { return Self(key: key, label: label, value: .missing) }
        return Self(
            key: key, label: label, value: .number(value, unit: unit, decimals: decimals),
            resolution: resolution ?? decimals)
    }

    static func text(_ key: String, _ value: String?) -> Self {
        Self(key: key, label: key, value: value.map(Value.text) ?? .missing)
    }

    static func flag(_ key: String, _ isSet: Bool) -> Self {
        Self(key: key, label: key, value: .flag(isSet))
    }
}
