import SensorTag

extension Report {
    init(_ information: DeviceInformation) {
        sensor = "information"
        fields = [
            .text("model", information.model),
            .text("firmware", information.firmware),
            .text("manufacturer", information.manufacturer),
        ]
    }

    init(_ reading: TemperatureReading) {
        sensor = "temperature"
        fields = [
            .number("ambient_celsius", "ambient", reading.ambientCelsius, "°C"),
            .number("object_celsius", "object", reading.objectCelsius, "°C"),
        ]
    }

    init(_ reading: BarometerReading) {
        sensor = "barometer"
        fields = [
            .number("temperature_celsius", "temperature", reading.temperatureCelsius, "°C"),
            .number("pressure_hpa", "pressure", reading.pressureHectopascals, "hPa"),
        ]
    }

    init(_ reading: HumidityReading) {
        sensor = "humidity"
        fields = [
            .number("temperature_celsius", "temperature", reading.temperatureCelsius, "°C"),
            .number("relative_humidity_percent", "humidity", reading.relativeHumidityPercent, "%RH"),
        ]
    }

    init(_ reading: AccelerometerReading) {
        sensor = "accelerometer"
        fields = Self.axes(reading, "g", "g")
    }

    init(_ reading: MagnetometerReading) {
        sensor = "magnetometer"
        fields = Self.axes(reading, "microtesla", "µT")
    }

    init(_ reading: GyroscopeReading) {
        sensor = "gyroscope"
        fields = Self.axes(reading, "degrees_per_second", "°/s")
    }

    init(_ reading: MovementReading) {
        sensor = "movement"
        fields =
            Self.axes(reading.accelerometer, "g", "g", prefix: "accelerometer_")
            + Self.axes(reading.gyroscope, "degrees_per_second", "°/s", prefix: "gyroscope_")
            + Self.axes(reading.magnetometer, "microtesla", "µT", prefix: "magnetometer_")
    }

    init(_ reading: OpticalReading) {
        sensor = "optical"
        fields = [.number("lux", "light", reading.lux, "lx")]
    }

    init(_ keys: SimpleKeys) {
        sensor = "keys"
        fields = [.flag("left", keys.contains(.left)), .flag("right", keys.contains(.right))]
    }

    init(_ level: BatteryLevel) {
        sensor = "battery"
        fields = [.number("percent", "level", Double(level.percent), "%", decimals: 0)]
    }

    private static func axes(
        _ reading: some ThreeAxisReading,
        _ keyUnit: String,
        _ unit: String,
        prefix: String = ""
    ) -> [Field] {
        [("x", reading.x), ("y", reading.y), ("z", reading.z)].map { axis, value in
            .number(
                "\(prefix)\(axis)_\(keyUnit)", prefix.dropLast().isEmpty ? axis : "\(prefix.first ?? " ")\(axis)",
                value, unit)
        }
    }
}
