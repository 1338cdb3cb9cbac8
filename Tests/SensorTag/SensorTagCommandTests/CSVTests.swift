import BlueZSensorTag
import SensorTagProgram
import Testing

@testable import sensortag

@Suite("Comma-separated values") struct CSVTests {
    @Test(
        "Fields are quoted if they need it",
        arguments: [
            ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("a\nb", "\"a\nb\""),
            ("a\r\nb", "\"a\r\nb\""), ("=1+1", "'=1+1"), ("+49", "'+49"), ("-x", "'-x"), ("@SUM(A1)", "'@SUM(A1)"),
            ("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""), ("Küche 1", "Küche 1"),
        ])
    func quotes(text: String, field: String) {
        #expect(CSV.quoted(text) == field)
    }

    static let reports: [Report] = [
        Report(TemperatureReading(ambientCelsius: 26.75, objectCelsius: nil)),
        Report(HumidityReading(temperatureCelsius: 1, relativeHumidityPercent: 2)),
        Report(BarometerReading(temperatureCelsius: 1, pressurePascals: 2)),
        Report(AccelerometerReading(x: 1, y: 2, z: 3)), Report(MagnetometerReading(x: 1, y: 2, z: 3)),
        Report(GyroscopeReading(x: 1, y: 2, z: 3)),
        Report(
            MovementReading(
                gyroscope: GyroscopeReading(x: 1, y: 2, z: 3), accelerometer: AccelerometerReading(x: 4, y: 5, z: 6),
                magnetometer: MagnetometerReading(x: 7, y: 8, z: 9))),
        Report(OpticalReading(lux: 1)), Report(SimpleKeys.left),
    ]

    @Test("Every value of every sensor has a column", arguments: reports.indices)
    func columns(index: Int) {
        let report = Self.reports[index]
        let columns = CSV.columns(of: [report.sensor])
        #expect(Set(report.fields.map(\.key)) == Set(columns))
        let line = CSV.line(report, columns, device: "d", time: "t")
        #expect(line.count { $0 == "," } == CSV.header(columns).count { $0 == "," })
    }

    @Test("Values are below their columns, with the decimals that the sensor can resolve")
    func line() {
        let columns = CSV.columns(of: ["keys", "accelerometer", "gyroscope", "barometer", "temperature"])
        func values(_ report: Report) -> [String] {
            CSV.line(report, columns, device: "a,b", time: "t").replacing("\"a,b\"", with: "d")
                .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(
            CSV.header(columns)
                == "time,device,sensor,ambient_celsius,object_celsius,temperature_celsius,pressure_hpa,x_g,y_g,z_g,"
                + "x_degrees_per_second,y_degrees_per_second,z_degrees_per_second,left,right")
        #expect(
            values(Report(SimpleKeys.left))
                == ["t", "d", "keys", "", "", "", "", "", "", "", "", "", "", "1", "0"])
        #expect(
            values(Report(AccelerometerReading(x: 0.015625, y: -1, z: 0.999755859375)))
                == ["t", "d", "accelerometer", "", "", "", "", "0.0156", "-1.0000", "0.9998", "", "", "", "", ""])
        #expect(
            values(Report(GyroscopeReading(x: 0.00762939453125, y: 250, z: 0)))
                == ["t", "d", "gyroscope", "", "", "", "", "", "", "", "0.008", "250.000", "0.000", "", ""])
        #expect(
            values(Report(BarometerReading(temperatureCelsius: 18.610433, pressurePascals: 102148.51369548284)))
                == ["t", "d", "barometer", "", "", "18.61", "1021.49", "", "", "", "", "", "", "", ""])
        #expect(
            values(Report(TemperatureReading(ambientCelsius: 26.75, objectCelsius: nil)))
                == ["t", "d", "temperature", "26.75", "", "", "", "", "", "", "", "", "", "", ""])
    }

    @Test("A tag has the columns of its sensors, each once")
    func unique() {
        let all = [
            "temperature", "humidity", "barometer", "accelerometer", "magnetometer", "gyroscope", "movement", "optical",
            "keys", "battery",
        ]
        let columns = CSV.columns(of: all)
        #expect(Set(columns).count == columns.count && columns.count == 27)
        #expect(
            CSV.columns(of: ["humidity", "barometer", "connection"]).filter { $0 == "temperature_celsius" }.count == 1)
        #expect(CSV.columns(of: ["optical"]) == ["lux"])
        #expect(CSV.columns(of: []).isEmpty)
    }
}
