import FoundationEssentials

/// Readings as comma-separated values (RFC 4180): one line per reading, all sensors of a tag in the same columns, empty
/// if a sensor has no value for a column.
package enum CSV {
    /// The value columns of each sensor, by their names in JSON.
    private static let columnsOfSensors: [(sensor: String, columns: [String])] = [
        ("temperature", ["ambient_celsius", "object_celsius"]),
        ("humidity", ["temperature_celsius", "relative_humidity_percent"]),
        ("barometer", ["temperature_celsius", "pressure_hpa"]),
        ("accelerometer", axes("g")),
        ("magnetometer", axes("microtesla")),
        ("gyroscope", axes("degrees_per_second")),
        (
            "movement",
            axes("g", "accelerometer_") + axes("degrees_per_second", "gyroscope_")
                + axes("microtesla", "magnetometer_")
        ),
        ("optical", ["lux"]),
        ("keys", ["left", "right"]),
        ("battery", ["percent"]),
    ]

    private static func axes(_ unit: String, _ prefix: String = "") -> [String] {
        ["x", "y", "z"].map { "\(prefix)\($0)_\(unit)" }
    }

    /// The value columns for a tag that has these sensors, each once.
    package static func columns(of sensors: [String]) -> [String] {
        var columns: [String] = []
        for (sensor, own) in columnsOfSensors where sensors.contains(sensor) {
            columns += own.filter { !columns.contains($0) }
        }
        return columns
    }

    /// The first line.
    package static func header(_ columns: [String]) -> String {
        (["time", "device", "sensor"] + columns).joined(separator: ",")
    }

    /// The line of a report; numbers with the decimals of the sensor's resolution, keys as 1 or 0.
    package static func line(_ report: Report, _ columns: [String], device: String, time: String) -> String {
        var values: [String: String] = [:]
        for field in report.fields {
            switch field.value {
            case .number(let number, _, _): values[field.key] = FixedPoint.text(number, decimals: field.resolution)
            case .flag(let isSet): values[field.key] = isSet ? "1" : "0"
            case .text(let text): values[field.key] = quoted(text)
            case .missing: break
            }
        }
        let start = [time, quoted(device), quoted(report.sensor)]
        return (start + columns.map { values[$0] ?? "" }).joined(separator: ",")
    }

    /// A field, quoted if necessary. Text that a spreadsheet would treat as a formula gets an apostrophe.
    package static func quoted(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        let text = isFormula ? "'\(text)" : text
        guard text.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
