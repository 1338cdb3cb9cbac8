import BlueZSensorTag
import FoundationEssentials
import SensorTagProgram
import Testing

@testable import sensortag

@Suite("Reports are lines of text or JSON") struct ReportFormatTests {
    static let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    static let address = "BC:6A:29:AB:CD:EF"

    private static func information() -> DeviceInformation {
        var information = DeviceInformation()
        information.firmware = "1.5 \"(Oct)\" \u{1B}"
        return information
    }

    static let reports: [(Report, json: String, text: String)] = [
        (
            Report(TemperatureReading(ambientCelsius: 26.75, objectCelsius: 29.47589994366399)),
            #""ambient_celsius":26.75,"device":"D","object_celsius":29.47589994366399,"sensor":"temperature""#,
            "temperature    ambient    26.75 °C  object    29.48 °C"
        ),
        (
            Report(TemperatureReading(ambientCelsius: -0.1, objectCelsius: nil)),
            #""ambient_celsius":-0.1,"device":"D","object_celsius":null,"sensor":"temperature""#,
            "temperature    ambient    -0.10 °C  object -"
        ),
        (
            Report(BarometerReading(temperatureCelsius: 18.610433161258698, pressurePascals: 102148.51369548284)),
            #""device":"D","pressure_hpa":1021.4851369548284,"sensor":"barometer","#
                + #""temperature_celsius":18.610433161258698"#,
            "barometer      temperature    18.61 °C  pressure  1021.49 hPa"
        ),
        (
            Report(SimpleKeys.left),
            #""device":"D","left":true,"right":false,"sensor":"keys""#,
            "keys           left pressed  right -"
        ),
        (
            Report(information()),
            #""device":"D","firmware":"1.5 \"(Oct)\" \u001b","manufacturer":null,"model":null,"sensor":"information""#,
            #"information    model -  firmware 1.5 "(Oct)" \u{1b}  manufacturer -"#
        ),
    ]

    @Test("A JSON line has all values in full precision, and null for missing ones", arguments: reports.indices)
    func json(index: Int) throws {
        let line = try ReportFormat.json.line(Self.reports[index].0, device: Self.address, at: Self.date)
        let expected = Self.reports[index].json.replacing("\"D\"", with: "\"\(Self.address)\"")
        let middle = line.replacing(#","time":"2023-11-14T22:13:20.250Z""#, with: "")
        #expect(sorted(middle) == sorted("{\(expected)}"))
        #expect(line.contains(#""time":"2023-11-14T22:13:20.250Z""#))
    }

    @Test("A line of text has the time and the units", arguments: reports.indices)
    func text(index: Int) throws {
        let line = try ReportFormat.text.line(Self.reports[index].0, device: Self.address, at: Self.date)
        #expect(line == "22:13:20.250Z  \(Self.reports[index].text)")
    }

    /// The order of keys has no meaning in JSON.
    private func sorted(_ object: String) -> [Substring] {
        object.dropFirst().dropLast().split(separator: ",\"").sorted()
    }

    @Test("Axes of all sensors have names of their own")
    func keys() {
        let axes = MovementReading(
            gyroscope: GyroscopeReading(x: 1, y: 2, z: 3), accelerometer: AccelerometerReading(x: 4, y: 5, z: 6),
            magnetometer: MagnetometerReading(x: 7, y: 8, z: 9))
        let fields = Report(axes).fields
        #expect(Set(fields.map(\.key)).count == 9)
        #expect(fields.map(\.label) == ["ax", "ay", "az", "gx", "gy", "gz", "mx", "my", "mz"])
    }
}
