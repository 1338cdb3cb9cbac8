import BlueZSensorTag
import CoreBlueZ
import Testing

@Suite("The end of the link is reported and resets everything", .timeLimit(.minutes(10))) struct DisconnectionTests {
    @Test("A lost link ends readings with one error and forgets state, period and calibration")
    func forgets() async throws {
        try await FakeTagFixture.run { fixture in
            let barometer = fixture.tag.barometer
            let received = Received<BarometerReading>()
            barometer.readingHandler = received.take
            try await barometer.setPeriod(milliseconds: 200)
            try await barometer.turnOn()
            #expect(barometer.isOn && barometer.isEnabled)
            await fixture.notify("aa41", [0xD9, 0xF6, 0xCB, 0x84])
            try await fixture.wait { received.count == 1 }
            await fixture.disconnect()
            try await fixture.wait { !fixture.tag.isConnected && received.count == 2 }
            #expect(received.errors.map(\.code) == [.disconnected])
            #expect(!barometer.isOn && !barometer.isEnabled)
            #expect(barometer.reading == nil)
            #expect(barometer.period == nil)
            #expect(barometer.calibrationState == .none)
            #expect(fixture.tag.firmware == nil)
        }
    }

    @Test("Period and calibration of a sensor that is off are forgotten, too")
    func forgetsWhileOff() async throws {
        try await FakeTagFixture.run { fixture in
            try await fixture.tag.barometer.setPeriod(milliseconds: 200)
            try await fixture.tag.barometer.calibrate()
            await fixture.disconnect()
            try await fixture.wait { !fixture.tag.isConnected }
            #expect(fixture.tag.barometer.period == nil)
            #expect(fixture.tag.barometer.calibrationState == .none)
        }
    }

    @Test("What waits for its turn when the link is lost ends once, with an error")
    func waiting() async throws {
        try await FakeTagFixture.run { fixture in
            await fixture.delay("aa02", .seconds(30))
            var codes: [BluetoothError.Code?] = []
            fixture.tag.temperature.turnOn { codes.append($0?.code) }
            fixture.tag.temperature.turnOff { codes.append($0?.code) }
            fixture.tag.temperature.setPeriod(milliseconds: 500) { codes.append($0?.code) }
            try await fixture.wait { await fixture.log().contains("write aa02 01") }
            await fixture.disconnect()
            try await fixture.wait { codes.count == 3 }
            #expect(codes == [.disconnected, .disconnected, .disconnected])
            #expect(!fixture.tag.temperature.isOn)
        }
    }

    @Test("After connecting again the barometer calibrates anew")
    func reconnects() async throws {
        try await FakeTagFixture.run { fixture in
            try await fixture.tag.barometer.turnOn()
            await fixture.disconnect()
            try await fixture.wait { !fixture.tag.isConnected }
            try await fixture.tag.connect()
            try await fixture.tag.prepare()
            let mark = await fixture.mark()
            try await fixture.tag.barometer.turnOn()
            #expect(
                await fixture.log(after: mark)
                    == ["write aa44 64", "subscribe aa41", "write aa42 02", "read aa43", "write aa42 01", "read aa42"])
        }
    }

    @Test("Nothing can be switched on without a link")
    func notConnected() async throws {
        try await FakeTagFixture.run { fixture in
            try await fixture.tag.disconnect()
            let code = await errorCode { () throws(BluetoothError) in try await fixture.tag.temperature.turnOn() }
            #expect(code == .notConnected)
        }
    }
}
