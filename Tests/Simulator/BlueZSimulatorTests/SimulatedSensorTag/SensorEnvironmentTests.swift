import BlueZSimulatedSensorTag
import TestSupport
import Testing

@Suite("The simulated tag's environment", .virtualTime) struct SensorEnvironmentTests {
    private static let times = stride(from: 0.0, to: 2000, by: 0.7)

    @Test("Environments of one seed are the same, of another seed are not")
    func seeds() {
        let (one, same, other) = (SensorEnvironment(seed: 7), SensorEnvironment(seed: 7), SensorEnvironment(seed: 8))
        for time in Self.times {
            #expect(one.temperature(at: time) == same.temperature(at: time))
            #expect(one.rotation(at: time) == same.rotation(at: time))
        }
        #expect(one.temperature(at: 100) != other.temperature(at: 100))
    }

    @Test("What is measured stays in the range of a room", arguments: [0, 1, 42, .max] as [UInt64])
    func ranges(seed: UInt64) {
        let environment = SensorEnvironment(seed: seed)
        for time in Self.times {
            #expect((21...26).contains(environment.temperature(at: time)))
            #expect((20...55).contains(environment.objectTemperature(at: time)))
            #expect((30...60).contains(environment.humidity(at: time)))
            #expect((101_000...101_700).contains(environment.pressure(at: time)))
            #expect((100...750).contains(environment.illuminance(at: time)))
            let gravity = environment.acceleration(at: time)
            let length = (gravity.x * gravity.x + gravity.y * gravity.y + gravity.z * gravity.z).squareRoot()
            #expect(abs(length - 1) < 1e-9)
        }
    }

    @Test("Everything moves within a minute")
    func moves() {
        let environment = SensorEnvironment()
        #expect(abs(environment.temperature(at: 0) - environment.temperature(at: 60)) > 0.01)
        #expect(abs(environment.pressure(at: 0) - environment.pressure(at: 10)) > 1)
        #expect(environment.acceleration(at: 0) != environment.acceleration(at: 1))
    }

    @Test("Keys change exactly where the next change is said to be", arguments: [0, 1.99, 2, 4, 8.3, 9.5, 123.4, 2005])
    func keys(time: Double) {
        let environment = SensorEnvironment()
        let next = environment.nextKeyChange(after: time)
        #expect(next > time && next <= time + 10)
        #expect(environment.keys(at: next) != environment.keys(at: next - 1e-6))
        for step in 1..<50 {
            #expect(environment.keys(at: time + (next - time) * Double(step) / 50) == environment.keys(at: time))
        }
    }
}
