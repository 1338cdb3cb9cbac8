import SensorTag

extension TemperatureReading: ShownReading {
    private var ambient: Report.Field { .number("ambient_celsius", "ambient", ambientCelsius, "°C") }
    private var object: Report.Field { .number("object_celsius", "object", objectCelsius, "°C") }

    var report: Report { Report(sensor: "temperature", fields: [ambient, object]) }

    var monitorReadings: [MonitorReading] {
        [MonitorReading("temperature", [object, ambient], objectCelsius ?? ambientCelsius)]
    }
}

extension BarometerReading: ShownReading {
    private var pressure: Report.Field { .number("pressure_hpa", "pressure", pressureHectopascals, "hPa") }

    private func temperature(_ label: String) -> Report.Field {
        .number("temperature_celsius", label, temperatureCelsius, "°C")
    }

    var report: Report { Report(sensor: "barometer", fields: [temperature("temperature"), pressure]) }

    var monitorReadings: [MonitorReading] {
        [MonitorReading("barometer", [pressure, temperature("air")], pressureHectopascals ?? .nan)]
    }
}

extension HumidityReading: ShownReading {
    private func temperature(_ label: String) -> Report.Field {
        .number("temperature_celsius", label, temperatureCelsius, "°C")
    }

    private func humidity(_ percent: Double) -> Report.Field {
        .number("relative_humidity_percent", "humidity", percent, "%RH")
    }

    var report: Report {
        Report(sensor: "humidity", fields: [temperature("temperature"), humidity(relativeHumidityPercent)])
    }

    var monitorReadings: [MonitorReading] {
        let percent = displayedHumidityPercent
        return [MonitorReading("humidity", [humidity(percent), temperature("air")], percent)]
    }
}

extension AccelerometerReading: ShownReading {
    var report: Report { Report(sensor: "accelerometer", fields: fields()) }
    var monitorReadings: [MonitorReading] { [MonitorReading("accelerometer", self, "g")] }

    /// A step of the MPU-9250 at ±8 g is 1/4096 g; that of the KXTJ9 is wider.
    fileprivate func fields(prefix: String = "") -> [Report.Field] { axes("g", "g", prefix, resolution: 4) }
}

extension MagnetometerReading: ShownReading {
    var report: Report { Report(sensor: "magnetometer", fields: fields()) }
    var monitorReadings: [MonitorReading] { [MonitorReading("magnetometer", self, "µT")] }

    fileprivate func fields(prefix: String = "") -> [Report.Field] { axes("microtesla", "µT", prefix, resolution: 2) }
}

extension GyroscopeReading: ShownReading {
    var report: Report { Report(sensor: "gyroscope", fields: fields()) }
    var monitorReadings: [MonitorReading] { [MonitorReading("gyroscope", self, "°/s")] }

    /// A step of both chips is 500/65536 °/s, that is 0.008.
    fileprivate func fields(prefix: String = "") -> [Report.Field] {
        axes("degrees_per_second", "°/s", prefix, resolution: 3)
    }
}

extension MovementReading: ShownReading {
    var report: Report {
        Report(
            sensor: "movement",
            fields: accelerometer.fields(prefix: "accelerometer_") + gyroscope.fields(prefix: "gyroscope_")
                + magnetometer.fields(prefix: "magnetometer_"))
    }

    var monitorReadings: [MonitorReading] {
        accelerometer.monitorReadings + gyroscope.monitorReadings + magnetometer.monitorReadings
    }
}

extension OpticalReading: ShownReading {
    var report: Report { Report(sensor: "optical", fields: [.number("lux", "light", lux, "lx")]) }
    var monitorReadings: [MonitorReading] { [MonitorReading(report, lux)] }
}

extension SimpleKeys: ShownReading {
    var report: Report {
        Report(sensor: "keys", fields: [.flag("left", contains(.left)), .flag("right", contains(.right))])
    }

    var monitorReadings: [MonitorReading] {
        [MonitorReading(report, Double(intersection([.left, .right]).rawValue.nonzeroBitCount))]
    }
}

extension BatteryLevel: ShownReading {
    var report: Report {
        Report(sensor: "battery", fields: [.number("percent", "level", Double(percent), "%", decimals: 0)])
    }

    var monitorReadings: [MonitorReading] { [MonitorReading(report, Double(percent))] }
}

extension ThreeAxisReading {
    fileprivate func axes(
        _ keyUnit: String,
        _ unit: String,
        _ prefix: String,
        resolution: Int
    ) -> [Report.Field] {
        [("x", x), ("y", y), ("z", z)].map { axis, value in
            .number(
                "\(prefix)\(axis)_\(keyUnit)", prefix.dropLast().isEmpty ? axis : "\(prefix.first ?? " ")\(axis)",
                value, unit, resolution: resolution)
        }
    }
}

extension Report {
    init(_ information: DeviceInformation) {
        sensor = "information"
        fields = [
            .text("model", information.model),
            .text("firmware", information.firmware),
            .text("manufacturer", information.manufacturer),
        ]
    }
}
