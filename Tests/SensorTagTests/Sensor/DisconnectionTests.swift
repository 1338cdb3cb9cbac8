import CoreBlueZ
import SensorTag
import Testing

@Suite("The end of the link is reported and resets everything", .timeLimit(.minutes(1))) struct DisconnectionTests {
    @Test("A lost link ends readings with one error and forgets state, period and calibration")
    func forgets() async throws {
        try await TagScene.run { scene in
            let barometer = scene.tag.barometer
            let received = Received<BarometerReading>()
            barometer.readingHandler = received.take
            try await barometer.setPeriod(milliseconds: 200)
            try await barometer.turnOn()
            #expect(barometer.isOn && barometer.isEnabled)
            await scene.notify("aa41", [0xD9, 0xF6, 0xCB, 0x84])
            try await scene.wait { received.count == 1 }
            await scene.disconnect()
            try await scene.wait { !scene.tag.isConnected && received.count == 2 }
            #expect(received.errors.map(\.code) == [.disconnected])
            #expect(!barometer.isOn && !barometer.isEnabled)
            #expect(barometer.reading == nil)
            #expect(barometer.period == nil)
            #expect(barometer.calibrationState == .none)
            #expect(scene.tag.firmware == nil)
        }
    }

    @Test("Period and calibration of a sensor that is off are forgotten, too")
    func forgetsWhileOff() async throws {
        try await TagScene.run { scene in
            try await scene.tag.barometer.setPeriod(milliseconds: 200)
            try await scene.tag.barometer.calibrate()
            await scene.disconnect()
            try await scene.wait { !scene.tag.isConnected }
            #expect(scene.tag.barometer.period == nil)
            #expect(scene.tag.barometer.calibrationState == .none)
        }
    }

    @Test("What waits for its turn when the link is lost ends once, with an error")
    func waiting() async throws {
        try await TagScene.run { scene in
            await scene.delay("aa02", .seconds(30))
            var codes: [BluetoothError.Code?] = []
            scene.tag.temperature.turnOn { codes.append($0?.code) }
            scene.tag.temperature.turnOff { codes.append($0?.code) }
            scene.tag.temperature.setPeriod(milliseconds: 500) { codes.append($0?.code) }
            try await scene.wait { await scene.log().contains("write aa02 01") }
            await scene.disconnect()
            try await scene.wait { codes.count == 3 }
            #expect(codes == [.disconnected, .disconnected, .disconnected])
            #expect(!scene.tag.temperature.isOn)
        }
    }

    @Test("After connecting again the barometer calibrates anew")
    func reconnects() async throws {
        try await TagScene.run { scene in
            try await scene.tag.barometer.turnOn()
            await scene.disconnect()
            try await scene.wait { !scene.tag.isConnected }
            try await scene.tag.connect()
            try await scene.tag.prepare()
            let mark = await scene.mark()
            try await scene.tag.barometer.turnOn()
            #expect(
                await scene.log(after: mark)
                    == ["write aa44 64", "subscribe aa41", "write aa42 02", "read aa43", "write aa42 01", "read aa42"])
        }
    }

    @Test("Nothing can be switched on without a link")
    func notConnected() async throws {
        try await TagScene.run { scene in
            try await scene.tag.disconnect()
            let code = await errorCode { () throws(BluetoothError) in try await scene.tag.temperature.turnOn() }
            #expect(code == .notConnected)
        }
    }
}
