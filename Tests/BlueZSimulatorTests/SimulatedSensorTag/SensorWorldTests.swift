import SimulatedSensorTag
import Testing

@Suite("The simulated tag's world") struct SensorWorldTests {
    private static let times = stride(from: 0.0, to: 2000, by: 0.7)

    @Test("Worlds of one seed are the same, of another seed are not")
    func seeds() {
        let (one, same, other) = (SensorWorld(seed: 7), SensorWorld(seed: 7), SensorWorld(seed: 8))
        for time in Self.times {
            #expect(one.temperature(at: time) == same.temperature(at: time))
            #expect(one.rotation(at: time) == same.rotation(at: time))
        }
        #expect(one.temperature(at: 100) != other.temperature(at: 100))
    }

    @Test("What is measured stays in the range of a room", arguments: [0, 1, 42, .max] as [UInt64])
    func ranges(seed: UInt64) {
        let world = SensorWorld(seed: seed)
        for time in Self.times {
            #expect((21...26).contains(world.temperature(at: time)))
            #expect((20...55).contains(world.objectTemperature(at: time)))
            #expect((30...60).contains(world.humidity(at: time)))
            #expect((101_000...101_700).contains(world.pressure(at: time)))
            #expect((100...750).contains(world.illuminance(at: time)))
            let gravity = world.acceleration(at: time)
            let length = (gravity.x * gravity.x + gravity.y * gravity.y + gravity.z * gravity.z).squareRoot()
            #expect(abs(length - 1) < 1e-9)
        }
    }

    @Test("Everything moves within a minute")
    func moves() {
        let world = SensorWorld()
        #expect(abs(world.temperature(at: 0) - world.temperature(at: 60)) > 0.01)
        #expect(abs(world.pressure(at: 0) - world.pressure(at: 10)) > 1)
        #expect(world.acceleration(at: 0) != world.acceleration(at: 1))
    }

    @Test("Keys change exactly where the next change is said to be", arguments: [0, 1.99, 2, 4, 8.3, 9.5, 123.4, 2005])
    func keys(time: Double) {
        let world = SensorWorld()
        let next = world.nextKeyChange(after: time)
        #expect(next > time && next <= time + 10)
        #expect(world.keys(at: next) != world.keys(at: next - 1e-6))
        for step in 1..<50 {
            #expect(world.keys(at: time + (next - time) * Double(step) / 50) == world.keys(at: time))
        }
    }
}
