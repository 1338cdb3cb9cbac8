import CoreBlueZ
import Testing

@testable import BlueZSensorTag

@Suite("Periods have limits", .timeLimit(.minutes(10))) struct PeriodTests {
    @Test("A period is written and read back")
    func roundTrip() async throws {
        try await FakeTagFixture.run { fixture in
            try await fixture.tag.humidity.setPeriod(milliseconds: 2000)
            #expect(await fixture.value("aa23") == [200])
            #expect(try await fixture.tag.humidity.readPeriod().milliseconds == 2000)
            #expect(fixture.tag.humidity.period?.milliseconds == 2000)
        }
    }

    @Test("A period outside of the limits is refused and nothing is written", arguments: [290, 2560, 0, -1])
    func outside(milliseconds: Int) async throws {
        try await FakeTagFixture.run { fixture in
            let mark = await fixture.mark()
            let code = await errorCode { () throws(BluetoothError) in
                try await fixture.tag.temperature.setPeriod(milliseconds: milliseconds)
            }
            #expect(code == .invalidArguments)
            #expect(await fixture.log(after: mark).isEmpty)
        }
    }

    @Test("Firmware without a period for the sensor says so, and the sensor works")
    func missing() async throws {
        try await FakeTagFixture.run(.cc2541(firmware: "1.3 (Feb  8 2013)")) { fixture in
            let code = await errorCode { () throws(BluetoothError) in
                try await fixture.tag.temperature.setPeriod(milliseconds: 500)
            }
            #expect(code == .notSupported)
            #expect(!fixture.tag.temperature.hasPeriod)
            try await fixture.tag.temperature.turnOn()
            #expect(fixture.tag.temperature.isOn)
        }
    }

    @Test("The tag's own refusal is delivered")
    func refused() async throws {
        try await FakeTagFixture.run { fixture in
            await fixture.refuseWrites("aa13", 0x80)
            var error: BluetoothError?
            fixture.tag.accelerometer.setPeriod(milliseconds: 100) { error = $0 }
            try await fixture.wait { error != nil }
            #expect(error?.attError?.rawValue == 0x80)
            #expect(fixture.tag.accelerometer.period == nil)
        }
    }

    @Test(
        "Only firmware 1.4 and 1.5 gets the default period without being asked: it may measure at that of an earlier link",
        arguments: [
            (FakeTag.Model.cc2541(firmware: "1.3 (Feb  8 2013)"), false),
            (.cc2541(firmware: "1.5 (Oct 23 2013)"), true), (.cc2650(firmware: "1.50 (Jul 13 2017)"), false),
        ])
    func unasked(model: FakeTag.Model, isWritten: Bool) async throws {
        try await FakeTagFixture.run(model) { fixture in
            let sensor = fixture.tag.generation == .cc2650 ? fixture.tag.optical : fixture.tag.magnetometer
            let mark = await fixture.mark()
            try await sensor.turnOn()
            let isCC2650 = fixture.tag.generation == .cc2650
            let written = await fixture.log(after: mark).first { $0.hasPrefix(isCC2650 ? "write aa73" : "write aa33") }
            #expect(written == (isWritten ? "write aa33 c8" : nil))
            #expect(sensor.period?.milliseconds == (isWritten ? 2000 : nil))
        }
    }

    @Test("Old firmware gets the accelerometer's period again after switching on")
    func oldFirmware() async throws {
        try await FakeTagFixture.run(.cc2541(firmware: "1.3 (Feb  8 2013)")) { fixture in
            try await fixture.tag.accelerometer.setPeriod(milliseconds: 100)
            let mark = await fixture.mark()
            try await fixture.tag.accelerometer.turnOn()
            #expect(
                await fixture.log(after: mark)
                    == ["write aa13 0a", "subscribe aa11", "write aa12 01", "read aa12", "write aa13 0a"])
        }
    }

    @Test(
        "Milliseconds become steps of 10 ms, rounded to the nearest",
        arguments: [
            (100, UInt8(10)), (104, 10), (105, 11), (1000, 100), (1280, 128), (2000, 200), (2544, 254), (2545, 255),
            (2550, 255),
        ])
    func encoded(milliseconds: Int, byte: UInt8) throws {
        #expect(try SensorPeriod(milliseconds: milliseconds, limits: .standard).byte == byte)
    }

    @Test(
        "A period outside of the limits is an error", arguments: [Int.min, -10, 0, 1, 99, 2551, 2560, 65536, Int.max])
    func outsideOfLimits(milliseconds: Int) {
        for limits in [SensorPeriod.Limits.standard, .temperature, .magnetometer, .optical] {
            let error = SensorTagDataError.periodOutOfRange(milliseconds: milliseconds, allowed: limits.allowed)
            #expect(throws: error) { try SensorPeriod(milliseconds: milliseconds, limits: limits) }
        }
    }

    @Test("The IR thermometer needs 300 ms")
    func temperature() throws {
        #expect(try SensorPeriod(milliseconds: 300, limits: .temperature).byte == 30)
        #expect(throws: SensorTagDataError.periodOutOfRange(milliseconds: 299, allowed: 300...2550)) {
            try SensorPeriod(milliseconds: 299, limits: .temperature)
        }
    }

    @Test("The defaults are those of the firmware")
    func defaults() {
        let limits: [SensorPeriod.Limits] = [.standard, .temperature, .magnetometer, .optical]
        #expect(limits.map(\.defaultMilliseconds) == [1000, 1000, 2000, 800])
    }

    @Test("Two seconds are read as two seconds, not as a negative number")
    func unsigned() throws {
        #expect(try SensorPeriod(from: [0xC8]).milliseconds == 2000)
    }

    @Test("The period byte", arguments: ConversionVector.table("period"))
    func byte(vector: ConversionVector) throws {
        vector.expect([Double(try SensorPeriod(from: vector.payload).milliseconds)])
    }
}
