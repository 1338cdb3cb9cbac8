import CoreBlueZ
import Testing

@testable import BlueZSensorTag

@Suite("The gyroscope of the CC2541", .timeLimit(.minutes(10)))
struct GyroscopeTests {
    @Test("The gyroscope of the CC2541, axes as sent")
    func imu3000OfTags() throws {
        let vector = ConversionVector("e8ff25ffe9ff", [-0.183105469, -1.670837402, -0.175476074])
        vector.expect(try IMU3000.reading(from: vector.payload).values)
    }

    @Test("The gyroscope of the CC2541", arguments: ConversionVector.table("imu3000"))
    func imu3000(vector: ConversionVector) throws {
        vector.expect(try IMU3000.reading(from: vector.payload).values)
    }

    @Test("All axes of the gyroscope are 7")
    func gyroscopeAxes() {
        #expect(IMU3000.Axes.all.rawValue == 7)
        #expect([IMU3000.Axes.x, .y, .z].map(\.rawValue) == [1, 2, 4])
    }

    @Test("The gyroscope is switched on with all axes")
    func axes() async throws {
        try await FakeTagFixture.run { fixture in
            try await fixture.tag.gyroscope.turnOn()
            #expect(await fixture.value("aa52") == [7])
        }
    }
}
