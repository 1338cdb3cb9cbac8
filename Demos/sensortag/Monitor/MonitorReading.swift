import CoreBlueZ
import SensorTag

/// What one notification puts into one row of the monitor.
struct MonitorReading: Sendable {
    /// The row's name.
    let row: String
    let fields: [Report.Field]
    /// What the graph shows.
    let value: Double

    init(_ row: String, _ fields: [Report.Field], _ value: Double) {
        self.row = row
        self.fields = fields
        self.value = value
    }

    init(_ row: String, _ reading: some ThreeAxisReading, _ unit: String) {
        let axes = [("x", reading.x), ("y", reading.y), ("z", reading.z)]
        self.init(row, axes.map { .number($0, $0, $1, unit) }, reading.magnitude)
    }

    init(_ reading: TemperatureReading) {
        self.init(
            "temperature",
            [
                .number("object_celsius", "object", reading.objectCelsius, "°C"),
                .number("ambient_celsius", "ambient", reading.ambientCelsius, "°C"),
            ], reading.objectCelsius ?? reading.ambientCelsius)
    }

    init(_ reading: HumidityReading) {
        self.init(
            "humidity",
            [
                .number("relative_humidity_percent", "humidity", reading.displayedHumidityPercent, "%RH"),
                .number("temperature_celsius", "air", reading.temperatureCelsius, "°C"),
            ], reading.displayedHumidityPercent)
    }

    init(_ reading: BarometerReading) {
        self.init(
            "barometer",
            [
                .number("pressure_hpa", "pressure", reading.pressureHectopascals, "hPa"),
                .number("temperature_celsius", "air", reading.temperatureCelsius, "°C"),
            ], reading.pressureHectopascals ?? .nan)
    }

    init(_ keys: SimpleKeys) {
        self.init(
            "keys", [.flag("left", keys.contains(.left)), .flag("right", keys.contains(.right))],
            Double(keys.intersection([.left, .right]).rawValue.nonzeroBitCount))
    }

    init(_ reading: OpticalReading) {
        self.init("optical", [.number("lux", "light", reading.lux, "lx")], reading.lux)
    }

    init(_ level: BatteryLevel) {
        self.init(
            "battery", [.number("percent", "level", Double(level.percent), "%", decimals: 0)], Double(level.percent))
    }
}

extension SensorTagService {
    /// The rows of the sensor.
    nonisolated static func monitorRows(of name: String) -> [String] {
        name == "movement" ? ["accelerometer", "gyroscope", "magnetometer"] : [name]
    }

    /// Turns what the sensor measures into rows of the monitor.
    func setMonitorHandler(
        _ show: @escaping @BluetoothActor (MonitorReading) -> Void,
        failure: @escaping @BluetoothActor (BluetoothError) -> Void
    ) {
        func handler<Reading>(
            _ make: @escaping @BluetoothActor (Reading) -> [MonitorReading]
        ) -> @BluetoothActor (Reading?, BluetoothError?) -> Void {
            { reading, error in
                if let reading { make(reading).forEach(show) }
                if let error, error.code != .disconnected { failure(error) }
            }
        }
        switch self {
        case let sensor as TemperatureService: sensor.readingHandler = handler { [MonitorReading($0)] }
        case let sensor as HumidityService: sensor.readingHandler = handler { [MonitorReading($0)] }
        case let sensor as BarometerService: sensor.readingHandler = handler { [MonitorReading($0)] }
        case let sensor as AccelerometerService:
            sensor.readingHandler = handler { [MonitorReading("accelerometer", $0, "g")] }
        case let sensor as MagnetometerService:
            sensor.readingHandler = handler { [MonitorReading("magnetometer", $0, "µT")] }
        case let sensor as GyroscopeService:
            sensor.readingHandler = handler { [MonitorReading("gyroscope", $0, "°/s")] }
        case let sensor as MovementService:
            sensor.readingHandler = handler {
                [
                    MonitorReading("accelerometer", $0.accelerometer, "g"),
                    MonitorReading("gyroscope", $0.gyroscope, "°/s"),
                    MonitorReading("magnetometer", $0.magnetometer, "µT"),
                ]
            }
        case let sensor as OpticalService: sensor.readingHandler = handler { [MonitorReading($0)] }
        case let sensor as SimpleKeysService: sensor.readingHandler = handler { [MonitorReading($0)] }
        case let sensor as BatteryService: sensor.readingHandler = handler { [MonitorReading($0)] }
        default: break
        }
    }
}
