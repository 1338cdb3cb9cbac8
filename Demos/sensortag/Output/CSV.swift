import FoundationEssentials

/// Readings as comma-separated values (RFC 4180): a line a reading, all sensors in the same columns, empty where a
/// sensor has nothing for a column.
enum CSV {
    /// The columns with values, by their names in JSON.
    static let columns =
        [
            "ambient_celsius", "object_celsius", "temperature_celsius", "relative_humidity_percent", "pressure_hpa",
            "x_g", "y_g", "z_g", "x_microtesla", "y_microtesla", "z_microtesla",
            "x_degrees_per_second", "y_degrees_per_second", "z_degrees_per_second",
        ]
        + ["accelerometer_x_g", "accelerometer_y_g", "accelerometer_z_g"]
        + ["gyroscope_x_degrees_per_second", "gyroscope_y_degrees_per_second", "gyroscope_z_degrees_per_second"]
        + ["magnetometer_x_microtesla", "magnetometer_y_microtesla", "magnetometer_z_microtesla"]
        + ["lux", "left", "right", "percent"]

    /// The first line.
    static let header = (["time", "device", "sensor"] + columns).joined(separator: ",")

    /// The line of a report; numbers in full precision, keys 1 or 0.
    static func line(_ report: Report, device: String, time: String) -> String {
        var values: [String: String] = [:]
        for field in report.fields {
            switch field.value {
            case .number(let number, _, _): values[field.key] = "\(number)"
            case .flag(let isSet): values[field.key] = isSet ? "1" : "0"
            case .text(let text): values[field.key] = quoted(text)
            case .missing: break
            }
        }
        let start = [time, quoted(device), quoted(report.sensor)]
        return (start + columns.map { values[$0] ?? "" }).joined(separator: ",")
    }

    /// A field in quotes where it needs them. Text that a spreadsheet would take for a formula gets an apostrophe.
    static func quoted(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        let text = isFormula ? "'\(text)" : text
        guard text.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
