import FoundationEssentials

/// One line of output: a sensor's report at one time.
package struct Report: Sendable {
    /// One value of the report.
    package struct Field: Sendable {
        package enum Value: Sendable {
            case number(Double, unit: String, decimals: Int)
            case flag(Bool)
            case text(String)
            case missing
        }

        /// The name in JSON, with the unit.
        package let key: String
        /// The name for users.
        package let label: String
        package let value: Value
        /// The number of decimals of the sensor's resolution, for tables.
        package var resolution = 2
    }

    package let sensor: String
    package let fields: [Field]

    package init(sensor: String, fields: [Field]) {
        self.sensor = sensor
        self.fields = fields
    }
}

extension Report.Field {
    package static func number(
        _ key: String, _ label: String, _ value: Double?, _ unit: String, decimals: Int = 2, resolution: Int? = nil
    )
        -> Self
    {
        guard let value, value.isFinite else { return Self(key: key, label: label, value: .missing) }
        return Self(
            key: key, label: label, value: .number(value, unit: unit, decimals: decimals),
            resolution: resolution ?? decimals)
    }

    package static func text(_ key: String, _ value: String?) -> Self {
        Self(key: key, label: key, value: value.map(Value.text) ?? .missing)
    }

    package static func flag(_ key: String, _ isSet: Bool) -> Self {
        Self(key: key, label: key, value: .flag(isSet))
    }
}

extension Report {
    /// The keys of an object with the values of reports.
    package struct Key: CodingKey {
        package let stringValue: String
        package let intValue: Int? = nil
        package init(_ name: String) { stringValue = name }
        package init?(stringValue: String) { self.init(stringValue) }
        package init?(intValue: Int) { nil }
    }

    /// Adds the values to a JSON object, with all digits.
    package func encodeFields(into container: inout KeyedEncodingContainer<Key>) throws {
        for field in fields {
            let key = Key(field.key)
            switch field.value {
            case .number(let value, _, _): try container.encode(value, forKey: key)
            case .flag(let isSet): try container.encode(isSet, forKey: key)
            case .text(let text): try container.encode(text, forKey: key)
            case .missing: try container.encodeNil(forKey: key)
            }
        }
    }
}
