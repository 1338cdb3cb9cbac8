import CoreBlueZ
import Testing

@testable import BlueZSensorTag

@Suite("The magnetometer of the CC2541", .timeLimit(.minutes(10)))
struct MagnetometerTests {
    @Test("The magnetometer of the CC2541")
    func mag3110OfTags() throws {
        let vector = ConversionVector("79f77c07e704", [-66.619873047, 58.471679688, 38.299560547])
        vector.expect(try MAG3110.reading(from: vector.payload).values)
    }

    @Test("The magnetometer of the CC2541", arguments: ConversionVector.table("mag3110"))
    func mag3110(vector: ConversionVector) throws {
        vector.expect(try MAG3110.reading(from: vector.payload).values)
    }

    @Test("Calibrating the magnetometer twice in the same field gives zero twice")
    func zeroPoint() async throws {
        try await FakeTagFixture.run { fixture in
            let magnetometer = fixture.tag.magnetometer
            let received = Received<MagnetometerReading>()
            magnetometer.readingHandler = received.take
            #expect(!magnetometer.calibrate())
            try await magnetometer.turnOn()
            for index in 1...3 {
                await fixture.notify("aa31", [0x79, 0xF7, 0x7C, 0x07, 0xE7, 0x04])
                try await fixture.wait { received.count == index }
                #expect(magnetometer.calibrate())
            }
            #expect(received.values.map(\.magnitude).dropFirst() == [0, 0])
        }
    }
}
