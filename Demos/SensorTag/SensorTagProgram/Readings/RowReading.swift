import BlueZSensorTag

/// The data of one notification for one row of a screen or page.
package struct RowReading: Sendable {
    /// The row's name.
    package let row: String
    package let fields: [Report.Field]
    /// The value for the graph.
    package let value: Double

    package init(_ row: String, _ fields: [Report.Field], _ value: Double) {
        self.row = row
        self.fields = fields
        self.value = value
    }

    /// Creates a row from a report.
    package init(_ report: Report, _ value: Double) {
        self.init(report.sensor, report.fields, value)
    }

    package init(_ row: String, _ reading: some ThreeAxisReading, _ unit: String) {
        let axes = [("x", reading.x), ("y", reading.y), ("z", reading.z)]
        self.init(row, axes.map { .number($0, $0, $1, unit) }, reading.magnitude)
    }
}

extension SensorTagService {
    /// The rows of the sensor.
    package nonisolated static func rows(of name: String) -> [String] {
        name == "movement" ? ["accelerometer", "gyroscope", "magnetometer"] : [name]
    }
}
