import BlueZSensorTag
import CoreBlueZ
import Testing

@Suite("The barometer calibrates", .timeLimit(.minutes(10))) struct BarometerTests {
    @Test("Switching on calibrates by itself, before the sensor is on")
    func calibrates() async throws {
        try await FakeTagFixture.run { fixture in
            let mark = await fixture.mark()
            try await fixture.tag.barometer.turnOn()
            #expect(
                await fixture.log(after: mark)
                    == ["write aa44 64", "subscribe aa41", "write aa42 02", "read aa43", "write aa42 01", "read aa42"])
            #expect(fixture.tag.barometer.calibration?.c1 == 0xB281)
        }
    }

    @Test("The first value, which has no pressure, is no reading")
    func withoutPressure() async throws {
        try await FakeTagFixture.run { fixture in
            let received = Received<BarometerReading>()
            fixture.tag.barometer.readingHandler = received.take
            try await fixture.tag.barometer.turnOn()
            await fixture.notify("aa41", [0xD9, 0xF6, 0, 0])
            await fixture.notify("aa41", [0xD9, 0xF6, 0xCB, 0x84])
            try await fixture.wait { received.count > 0 }
            #expect(received.values.count == 1)
            #expect(received.errors.isEmpty)
            let pascals = try #require(received.values.first?.pressurePascals)
            #expect(abs(pascals - 102148.513695483) < 1e-6)
        }
    }

    @Test("Two calibrations at once both succeed, and the state shows them")
    func twice() async throws {
        try await FakeTagFixture.run { fixture in
            let barometer = fixture.tag.barometer
            #expect(barometer.calibrationState == .none)
            var errors: [BluetoothError?] = []
            barometer.calibrate { errors.append($0) }
            barometer.calibrate { errors.append($0) }
            #expect(barometer.calibrationState == .inProgress)
            try await fixture.wait { errors.count == 2 }
            #expect(errors == [nil, nil])
            #expect(barometer.calibration.map { barometer.calibrationState == .done($0) } == true)
        }
    }

    @Test("It can be calibrated again while it measures, and readings go on")
    func again() async throws {
        try await FakeTagFixture.run { fixture in
            let received = Received<BarometerReading>()
            fixture.tag.barometer.readingHandler = received.take
            try await fixture.tag.barometer.turnOn()
            fixture.tag.barometer.calibrate { _ in }
            await fixture.notify("aa41", [0xD9, 0xF6, 0xCB, 0x84])
            try await fixture.wait { received.count == 1 && fixture.tag.barometer.calibrationState != .inProgress }
            #expect(received.errors.isEmpty)
        }
    }

    @Test("A calibration of zeros is an error, and the barometer is not on")
    func zeros() async throws {
        try await FakeTagFixture.run { fixture in
            await fixture.withoutCalibration()
            let code = await errorCode { () throws(BluetoothError) in try await fixture.tag.barometer.turnOn() }
            #expect(code == .invalidData)
            #expect(!fixture.tag.barometer.isOn)
            #expect(fixture.tag.barometer.calibrationState == .none)
            #expect(await !fixture.notify("aa41", [0, 0, 0, 0]))
        }
    }

    @Test("What arrives before the sensor is on is no reading")
    func early() async throws {
        try await FakeTagFixture.run { fixture in
            let received = Received<BarometerReading>()
            fixture.tag.barometer.readingHandler = received.take
            await fixture.delay("aa43", .seconds(30))
            fixture.tag.barometer.turnOn { _ in }
            try await fixture.wait { await fixture.log().contains("write aa42 02") }
            #expect(await fixture.notify("aa41", [0xD9, 0xF6, 0xCB, 0x84]))
            try await fixture.wait { fixture.tag.barometer["data"]?.value != nil }
            #expect(received.count == 0)
        }
    }

    @Test("Switching off forgets the calibration, as the tag does")
    func forgets() async throws {
        try await FakeTagFixture.run { fixture in
            try await fixture.tag.barometer.turnOn()
            try await fixture.tag.barometer.turnOff()
            #expect(fixture.tag.barometer.calibrationState == .none)
        }
    }

    @Test("The CC2650 needs no calibration")
    func notNeeded() async throws {
        try await FakeTagFixture.run(.cc2650(firmware: "1.50 (Jul 13 2017)")) { fixture in
            let received = Received<BarometerReading>()
            fixture.tag.barometer.readingHandler = received.take
            try await fixture.tag.barometer.calibrate()
            let mark = await fixture.mark()
            try await fixture.tag.barometer.turnOn()
            #expect(await fixture.log(after: mark) == ["subscribe aa41", "write aa42 01", "read aa42"])
            await fixture.notify("aa41", [0x2E, 0xFB, 0xFF, 0xCD, 0x8B, 0x01])
            try await fixture.wait { received.count == 1 }
            #expect(received.values == [BarometerReading(temperatureCelsius: -12.34, pressurePascals: 101325)])
        }
    }
}
