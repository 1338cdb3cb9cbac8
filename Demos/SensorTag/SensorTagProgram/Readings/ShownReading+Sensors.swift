import BlueZSensorTag

extension TemperatureReading: ShownReading {
    private var ambient: Report.Field { .number("ambient_celsius", "ambient", ambientCelsius, "°C") }
    private var object: Report.Field { .number("object_celsius", "object", objectCelsius, "°C") }

    package var report: Report { Report(sensor: "temperature", fields: [ambient, object]) }

    package var rowReadings: [RowReading] {
        [RowReading("temperature", [object, ambient], objectCelsius ?? ambientCelsius)]
    }
}

extension BarometerReading: ShownReading {
    private var pressure: Report.Field { .number("pressure_hpa", "pressure", pressureHectopascals, "hPa") }

    private func temperature(_ label: String) -> Report.Field {
        .number("temperature_celsius", label, temperatureCelsius, "°C")
    }

    package var report: Report { Report(sensor: "barometer", fields: [temperature("temperature"), pressure]) }

    package var rowReadings: [RowReading] {
        [RowReading("barometer", [pressure, temperature("air")], pressureHectopascals ?? .nan)]
    }
}

extension HumidityReading: ShownReading {
    private func temperature(_ label: String) -> Report.Field {
        .number("temperature_celsius", label, temperatureCelsius, "°C")
    }

    private func humidity(_ percent: Double) -> Report.Field {
        .number("relative_humidity_percent", "humidity", percent, "%RH")
    }

    package var report: Report {
        Report(sensor: "humidity", fields: [temperature("temperature"), humidity(relativeHumidityPercent)])
    }

    package var rowReadings: [RowReading] {
        let percent = displayedHumidityPercent
        return [RowReading("humidity", [humidity(percent), temperature("air")], percent)]
    }
}

extension AccelerometerReading: ShownReading {
    package var report: Report { Report(sensor: "accelerometer", fields: fields()) }
    package var rowReadings: [RowReading] { [RowReading("accelerometer", self, "g")] }

    /// A step of the MPU-9250 at ±8 g is 1/4096 g; the KXTJ9's is wider.
    fileprivate func fields(prefix: String = "") -> [Report.Field] { axes("g", "g", prefix, resolution: 4) }
}

extension MagnetometerReading: ShownReading {
    package var report: Report { Report(sensor: "magnetometer", fields: fields()) }
    package var rowReadings: [RowReading] { [RowReading("magnetometer", self, "µT")] }

    fileprivate func fields(prefix: String = "") -> [Report.Field] { axes("microtesla", "µT", prefix, resolution: 2) }
}

extension GyroscopeReading: ShownReading {
    package var report: Report { Report(sensor: "gyroscope", fields: fields()) }
    package var rowReadings: [RowReading] { [RowReading("gyroscope", self, "°/s")] }

    /// A step of both chips is 500/65536 °/s, or 0.008.
    fileprivate func fields(prefix: String = "") -> [Report.Field] {
        axes("degrees_per_second", "°/s", prefix, resolution: 3)
    }
}

extension MovementReading: ShownReading {
    package var report: Report {
        Report(
            sensor: "movement",
            fields: accelerometer.fields(prefix: "accelerometer_") + gyroscope.fields(prefix: "gyroscope_")
                + magnetometer.fields(prefix: "magnetometer_"))
    }

    package var rowReadings: [RowReading] {
        accelerometer.rowReadings + gyroscope.rowReadings + magnetometer.rowReadings
    }
}

extension OpticalReading: ShownReading {
    package var report: Report { Report(sensor: "optical", fields: [.number("lux", "light", lux, "lx")]) }
    package var rowReadings: [RowReading] { [RowReading(report, lux)] }
}

extension SimpleKeys: ShownReading {
    package var report: Report {
        Report(sensor: "keys", fields: [.flag("left", contains(.left)), .flag("right", contains(.right))])
    }

    package var rowReadings: [RowReading] {
        [RowReading(report, Double(intersection([.left, .right]).rawValue.nonzeroBitCount))]
    }
}

extension BatteryLevel: ShownReading {
    package var report: Report {
        Report(sensor: "battery", fields: [.number("percent", "level", Double(percent), "%", decimals: 0)])
    }

    package var rowReadings: [RowReading] { [RowReading(report, Double(percent))] }
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
    package init(_ information: DeviceInformation) {
        sensor = "information"
        fields = [
            .text("model", information.model),
            .text("firmware", information.firmware),
            .text("manufacturer", information.manufacturer),
        ]
    }
}
