import BlueZSensorTag
import CoreBlueZ
import Testing

@Suite("Sensors are switched on and off", .timeLimit(.minutes(10))) struct SwitchingTests {
    static let temperature: [UInt8] = [0xB8, 0xFF, 0x60, 0x0D]

    @Test("Switching on writes the period, subscribes, and switches the sensor on, in this order")
    func order() async throws {
        try await FakeTagFixture.run { fixture in
            try await fixture.tag.temperature.setPeriod(milliseconds: 500)
            let mark = await fixture.mark()
            try await fixture.tag.temperature.turnOn()
            #expect(
                await fixture.log(after: mark) == ["write aa03 32", "subscribe aa01", "write aa02 01", "read aa02"])
            #expect(fixture.tag.temperature.isOn)
        }
    }

    @Test("Switching off unsubscribes first, and the zeros of the tag are no reading")
    func off() async throws {
        try await FakeTagFixture.run { fixture in
            let sensor = fixture.tag.temperature
            let received = Received<TemperatureReading>()
            sensor.readingHandler = received.take
            try await sensor.turnOn()
            await fixture.notify("aa01", Self.temperature)
            try await fixture.wait { received.count == 1 }
            let mark = await fixture.mark()
            try await sensor.turnOff()
            #expect(await fixture.log(after: mark) == ["unsubscribe aa01", "write aa02 00"])
            #expect(await !fixture.notify("aa01", Self.temperature))
            #expect(received.values.map(\.ambientCelsius) == [26.75])
            #expect(received.errors.isEmpty)
            #expect(!sensor.isOn)
            #expect(sensor.reading == nil)
        }
    }

    @Test("Each notification is one reading")
    func readings() async throws {
        try await FakeTagFixture.run { fixture in
            let received = Received<TemperatureReading>()
            fixture.tag.temperature.readingHandler = received.take
            try await fixture.tag.temperature.turnOn()
            await fixture.notify("aa01", Self.temperature)
            await fixture.notify("aa01", [0x88, 0xF2, 0x80, 0x0C])
            try await fixture.wait { received.count == 2 }
            #expect(received.values.map(\.ambientCelsius) == [26.75, 25])
            #expect(received.values.last?.objectCelsius == nil)
            #expect(fixture.tag.temperature.reading == received.values.last)
        }
    }

    @Test("A value of a wrong length is an error, and readings go on")
    func wrongLength() async throws {
        try await FakeTagFixture.run { fixture in
            let received = Received<TemperatureReading>()
            fixture.tag.temperature.readingHandler = received.take
            try await fixture.tag.temperature.turnOn()
            await fixture.notify("aa01", [1, 2, 3])
            await fixture.notify("aa01", Self.temperature)
            try await fixture.wait { received.count == 2 }
            #expect(received.errors.map(\.code) == [.invalidData])
            #expect(received.values.count == 1)
            #expect(fixture.tag.temperature.isOn)
        }
    }

    @Test("A sensor that the tag refuses to switch on is not on, and is unsubscribed again")
    func refused() async throws {
        try await FakeTagFixture.run { fixture in
            await fixture.refuseWrites("aa02", 0x80)
            let code = await errorCode { () throws(BluetoothError) in try await fixture.tag.temperature.turnOn() }
            #expect(code == .att)
            #expect(!fixture.tag.temperature.isOn)
            #expect(await !fixture.notify("aa01", Self.temperature))
        }
    }

    @Test("A sensor that cannot be switched off counts as on, and can be switched off again")
    func notOff() async throws {
        try await FakeTagFixture.run { fixture in
            try await fixture.tag.temperature.turnOn()
            await fixture.refuseWrites("aa02", 0x80)
            let code = await errorCode { () throws(BluetoothError) in try await fixture.tag.temperature.turnOff() }
            #expect(code == .att)
            #expect(fixture.tag.temperature.isOn)
            await fixture.refuseWrites("aa02", nil)
            try await fixture.tag.temperature.turnOff()
            #expect(!fixture.tag.temperature.isOn)
            #expect(await fixture.value("aa02") == [0])
        }
    }

    @Test("A sensor that failed its self-test is not on")
    func selfTest() async throws {
        try await FakeTagFixture.run { fixture in
            await fixture.refuseSilently("aa02", [0xFF])
            let code = await errorCode { () throws(BluetoothError) in try await fixture.tag.temperature.turnOn() }
            #expect(code == .failed)
            #expect(!fixture.tag.temperature.isOn)
        }
    }

    @Test("On and off asked for at once are done one after another, each completion once")
    func atOnce() async throws {
        try await FakeTagFixture.run { fixture in
            var order: [String] = []
            fixture.tag.humidity.turnOn { order.append("on \($0?.code.description ?? "done")") }
            fixture.tag.humidity.turnOff { order.append("off \($0?.code.description ?? "done")") }
            fixture.tag.humidity.turnOn { order.append("on \($0?.code.description ?? "done")") }
            try await fixture.wait { order.count == 3 }
            #expect(order == ["on done", "off done", "on done"])
            #expect(fixture.tag.humidity.isOn)
        }
    }

    @Test("Switching on what is on does nothing")
    func twice() async throws {
        try await FakeTagFixture.run { fixture in
            try await fixture.tag.temperature.turnOn()
            let mark = await fixture.mark()
            try await fixture.tag.temperature.turnOn()
            #expect(await fixture.log(after: mark).isEmpty)
        }
    }

    @Test(
        "A configuration byte reads as off, on or failed",
        arguments: [
            (0, SensorConfiguration.off), (1, .on(1)), (7, .on(7)), (0xFE, .on(0xFE)), (0xFF, .failed),
        ] as [(UInt8, SensorConfiguration)])
    func configuration(byte: UInt8, expected: SensorConfiguration) throws {
        #expect(try SensorConfiguration(from: [byte]) == expected)
    }
}
