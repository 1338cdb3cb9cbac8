import CoreBlueZ
import Testing

@testable import BlueZSensorTag

@Suite("The accelerometer of the CC2541", .timeLimit(.minutes(10)))
struct AccelerometerTests {
    @Test("The accelerometer of the CC2541 at ±2 g, without a bias")
    func kxtj9OfTags() throws {
        let reading = try KXTJ9.reading(from: bytes("fb3fc1"), range: .twoG)
        #expect(reading == AccelerometerReading(x: -0.078125, y: 0.984375, z: -0.984375))
        let zero = try KXTJ9.reading(from: [0, 0, 0], range: .twoG)
        #expect(zero == AccelerometerReading(x: 0, y: 0, z: 0))
    }

    @Test("The accelerometer of the CC2541 in every range", arguments: ConversionVector.table("kxtj9"))
    func kxtj9(vector: ConversionVector) throws {
        let range = try #require(KXTJ9.Range(rawValue: vector.range))
        vector.expect(try KXTJ9.reading(from: vector.payload, range: range).values)
    }

    @Test(
        "The accelerometer's configuration byte and range follow the firmware",
        arguments: [
            (KXTJ9.Range.twoG, "1.0", UInt8(1), KXTJ9.Range.twoG), (.eightG, "1.3", 1, .twoG),
            (.fourG, "1.4", 1, .twoG),
            (.twoG, "1.5", 3, .twoG), (.fourG, "1.5", 2, .fourG), (.eightG, "1.5", 1, .eightG),
            (.twoG, "2.0", 3, .twoG), (.twoG, "N.A.", 1, .eightG), (.fourG, "", 1, .eightG),
        ])
    func setting(wanted: KXTJ9.Range, firmware: String, byte: UInt8, range: KXTJ9.Range) {
        let setting = KXTJ9.setting(for: wanted, firmware: FirmwareVersion(firmware))
        #expect(setting == KXTJ9.Setting(configuration: byte, range: range))
    }

    @Test(
        "The accelerometer's range is that of the firmware",
        arguments: [("1.3 (x)", "write aa12 01", 1.0), ("1.5 (x)", "write aa12 03", 1.0), ("?", "write aa12 01", 4.0)])
    func range(firmware: String, write: String, x: Double) async throws {
        try await FakeTagFixture.run(.cc2541(firmware: firmware)) { fixture in
            let received = Received<AccelerometerReading>()
            fixture.tag.accelerometer.readingHandler = received.take
            try await fixture.tag.accelerometer.turnOn()
            #expect(await fixture.log().contains(write))
            await fixture.notify("aa11", [64, 0, 0xC0])
            try await fixture.wait { received.count == 1 }
            #expect(received.values == [AccelerometerReading(x: x, y: 0, z: -x)])
        }
    }
}
