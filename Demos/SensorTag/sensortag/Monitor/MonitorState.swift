import SensorTagProgram

/// The content of the monitor, as values; times are seconds of one clock.
struct MonitorState: Sendable {
    /// A line of the table: a sensor, or one of the three in the movement sensor.
    struct Row: Sendable {
        /// The key that switches the sensor; rows of one sensor have the same.
        var key: Character
        /// The service's name.
        var sensor: String
        /// The name of the row.
        var name: String
        /// Whether it can be calibrated while it is on.
        var canBeCalibrated = false
        var status = SensorStatus.waiting
        var fields: [Report.Field] = []
        var samples: [Sparkline.Sample] = []

        /// Keys and battery report changes, or report only rarely.
        var kind: Sparkline.Kind { sensor == "keys" || sensor == "battery" ? .told : .measured }

        /// The time of the last reading.
        var time: Double? { samples.last?.time }
    }

    var device = ""
    var generation: String?
    var firmware: String?
    /// In dBm, of the last advertisement.
    var rssi: Int?
    var link = TagLink.connecting
    var rows: [Row] = []
    /// The last event, for users.
    var notice = ""

    /// Whether a calibration would currently change something.
    var canCalibrate: Bool { isConnected && rows.contains { $0.canBeCalibrated && $0.status == .on } }

    var isConnected: Bool {
        if case .connected = link { true } else { false }
    }

    /// How long samples are kept, in seconds: the width of the graphs and one more column.
    static let memory = 75.0

    /// Adds a reading.
    mutating func add(_ fields: [Report.Field], _ value: Double, to name: String, at time: Double) {
        guard let index = rows.firstIndex(where: { $0.name == name }) else { return }
        rows[index].fields = fields
        rows[index].status = .on
        rows[index].samples.append(Sparkline.Sample(time: time, value: value))
        // One of the old samples stays: the last report of a sensor that reports changes.
        let old = rows[index].samples.prefix { $0.time < time - Self.memory }.count
        rows[index].samples.removeFirst(max(0, old - 1))
    }

    /// Sets the status of all rows of a sensor.
    mutating func set(_ status: SensorStatus, of sensor: String) {
        for index in rows.indices where rows[index].sensor == sensor {
            rows[index].status = status
            if status != .on { rows[index].fields = [] }
        }
    }
}
