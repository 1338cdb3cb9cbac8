import SensorTag
import Testing

@testable import SensorTagCommand

@Suite("Comma-separated values") struct CSVTests {
    @Test(
        "Fields are quoted where they need it",
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
        for field in report.fields { #expect(CSV.columns.contains(field.key)) }
        let line = CSV.line(report, device: "d", time: "t")
        #expect(line.count { $0 == "," } == CSV.header.count { $0 == "," })
    }

    @Test("Values stand below their columns")
    func line() {
        let line = CSV.line(Report(SimpleKeys.left), device: "a,b", time: "t").replacing("\"a,b\"", with: "d")
        let fields = Dictionary(
            uniqueKeysWithValues: zip(
                CSV.header.split(separator: ","), line.split(separator: ",", omittingEmptySubsequences: false)))
        #expect(fields["time"] == "t" && fields["device"] == "d" && fields["sensor"] == "keys")
        #expect(fields["left"] == "1" && fields["right"] == "0" && fields["lux"] == "")
    }

    @Test("Columns have names of their own")
    func unique() {
        #expect(Set(CSV.columns).count == CSV.columns.count)
    }
}
