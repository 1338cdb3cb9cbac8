import BlueZSensorTag
import CoreBlueZ
import TestSupport
import Testing

@Suite("Readings as a sequence", .timeLimit(.minutes(10))) struct ReadingSequenceTests {
    @Test("A sequence of readings ends after switching off, and throws when the link ends")
    func sequences() async throws {
        try await FakeTagFixture.run { fixture in
            var readings = try await fixture.tag.temperature.readings().makeAsyncIterator()
            await fixture.notify("aa01", SwitchingTests.temperature)
            #expect(try await readings.next()?.ambientCelsius == 26.75)
            try await fixture.tag.temperature.turnOff()
            #expect(try await readings.next() == nil)

            let others = try await fixture.tag.temperature.readings()
            await fixture.disconnect()
            await #expect(throws: BluetoothError.self) {
                for try await _ in others {}
            }
        }
    }

    @Test("A cancelled consumer gets the readings that were kept, and no error", arguments: CancelledConsumer.allCases)
    func cancelled(consumer: CancelledConsumer) async throws {
        try await FakeTagFixture.run { fixture in
            let sensor = fixture.tag.temperature
            let received = Received<TemperatureReading>()
            sensor.readingHandler = received.take
            let readings = try await sensor.readings()
            await fixture.notify("aa01", SwitchingTests.temperature)
            try await fixture.wait { received.count == 1 }
            #expect(try await consumer.count(of: readings) == 1)
            #expect(sensor.isOn)
        }
    }

    @Test("A consumer that is too slow gets the readings that were kept, and then an error")
    func overflow() async throws {
        try await FakeTagFixture.run { fixture in
            let sensor = fixture.tag.temperature
            let received = Received<TemperatureReading>()
            sensor.readingHandler = received.take
            let readings = try await sensor.readings(bufferingUpTo: 2)
            for _ in 1...3 { await fixture.notify("aa01", SwitchingTests.temperature) }
            try await fixture.wait { received.count == 3 }
            var kept: [Double] = []
            let code = await errorCode { () throws(BluetoothError) in
                for try await reading in readings { kept.append(reading.ambientCelsius) }
            }
            #expect(kept == [26.75, 26.75])
            #expect(code == .overflow)
            #expect(sensor.isOn)
        }
    }

    @Test("Values that cannot be decoded are reported, counted and skipped, and the sequence continues")
    func invalid() async throws {
        try await FakeTagFixture.run { fixture in
            let sensor = fixture.tag.temperature
            let received = Received<TemperatureReading>()
            sensor.readingHandler = received.take
            var readings = try await sensor.readings().makeAsyncIterator()
            for _ in 1...3 { await fixture.notify("aa01", [1, 2, 3]) }
            await fixture.notify("aa01", SwitchingTests.temperature)
            #expect(try await readings.next()?.ambientCelsius == 26.75)
            #expect(sensor.invalidReadingCount == 3)
            #expect(received.errors.map(\.code) == [.invalidData, .invalidData, .invalidData])
            #expect(sensor.isOn)
            try await sensor.turnOff()
            #expect(sensor.invalidReadingCount == 0)
        }
    }
}
