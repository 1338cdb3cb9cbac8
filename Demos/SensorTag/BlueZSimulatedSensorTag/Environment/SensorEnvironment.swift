import Glibc

#if canImport(FoundationEssentials)
    import FoundationEssentials
#endif

/// The surroundings of a simulated tag: the quantities to measure, as pure functions of the time in seconds.
///
/// Two environments with the same seed are equal; another seed shifts everything in time.
public struct SensorEnvironment: Hashable, Sendable {
    /// Three axes of the tag.
    public struct Vector: Hashable, Sendable {
        /// The axes' values, in the unit of the function that returned them.
        public var x, y, z: Double
    }

    /// The seed.
    public let seed: UInt64
    private let shifts: [Double]

    /// Creates the environment that belongs to a seed.
    public init(seed: UInt64 = 0) {
        self.seed = seed
        var state = seed
        // SplitMix64 (Steele, Lea, Flood 2014).
        shifts = (0..<8).map { _ in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            mixed ^= mixed >> 31
            return Double(mixed >> 11) / Double(1 << 53)
        }
    }

    /// A sine of this period in seconds, shifted by the seed.
    private func wave(_ time: Double, period: Double, _ index: Int) -> Double {
        sin(2 * .pi * (time / period + shifts[index]))
    }

    /// The slope of `wave`, per second.
    private func slope(_ time: Double, period: Double, _ index: Int) -> Double {
        2 * .pi / period * cos(2 * .pi * (time / period + shifts[index]))
    }

    /// The air's temperature in °C: drifts between 21 and 26.
    public func temperature(at time: Double) -> Double {
        23.5 + 2 * wave(time, period: 600, 0) + 0.4 * wave(time, period: 37, 1)
    }

    /// The temperature in °C of the object in front of the infrared sensor: at times, a cup of tea.
    public func objectTemperature(at time: Double) -> Double {
        temperature(at: time) + 14 + 12 * wave(time, period: 90, 2)
    }

    /// The relative humidity in percent: falls when the temperature rises.
    public func humidity(at time: Double) -> Double {
        45 - 3 * (temperature(at: time) - 23.5) + wave(time, period: 53, 3)
    }

    /// The air pressure in Pa: follows the temperature, with added draughts.
    public func pressure(at time: Double) -> Double {
        101_325 - 40 * (temperature(at: time) - 23.5) + 15 * wave(time, period: 29, 4)
    }

    /// The illuminance in lux: daylight with clouds.
    public func illuminance(at time: Double) -> Double {
        420 + 250 * wave(time, period: 120, 5) + 60 * wave(time, period: 11, 6)
    }

    private func roll(at time: Double) -> Double { 0.5 * wave(time, period: 13, 5) }
    private func pitch(at time: Double) -> Double { 0.35 * wave(time, period: 9, 6) }
    private func yaw(at time: Double) -> Double { 0.8 * wave(time, period: 31, 7) }

    /// A vector of the room in the axes of the slowly turning tag.
    private func turned(_ vector: Vector, at time: Double) -> Vector {
        let (a, b, c) = (roll(at: time), pitch(at: time), yaw(at: time))
        let x = vector.x * cos(c) + vector.y * sin(c)
        let y = vector.y * cos(c) - vector.x * sin(c)
        let (forward, up) = (x * cos(b) - vector.z * sin(b), x * sin(b) + vector.z * cos(b))
        return Vector(x: forward, y: y * cos(a) + up * sin(a), z: up * cos(a) - y * sin(a))
    }

    /// The acceleration in g on the tag at rest: gravity.
    public func acceleration(at time: Double) -> Vector {
        turned(Vector(x: 0, y: 0, z: 1), at: time)
    }

    /// The magnetic field in µT: the Earth's in central Europe.
    public func magneticField(at time: Double) -> Vector {
        turned(Vector(x: 20, y: 0, z: -44), at: time)
    }

    /// The tag's rotation, in degrees per second.
    public func rotation(at time: Double) -> Vector {
        let degrees = 180 / Double.pi
        return Vector(
            x: 0.5 * slope(time, period: 13, 5) * degrees,
            y: 0.35 * slope(time, period: 9, 6) * degrees,
            z: 0.8 * slope(time, period: 31, 7) * degrees
        )
    }
}

extension SensorEnvironment {
    /// The times of key changes within ten seconds, with the keys pressed from then on: bit 0 left, bit 1 right.
    private static let round: [(time: Double, keys: UInt8)] = [
        (0, 0), (2, 0b01), (2.5, 0), (5, 0b10), (5.75, 0), (8, 0b01), (8.25, 0b11), (8.5, 0b10), (8.75, 0),
    ]
    private static let length = 10.0

    /// The pressed keys: bit 0 left, bit 1 right.
    public func keys(at time: Double) -> UInt8 {
        let position = time - (time / Self.length).rounded(.down) * Self.length
        return Self.round.last { $0.time <= position }?.keys ?? 0
    }

    /// The next time at which a key is pressed or released.
    public func nextKeyChange(after time: Double) -> Double {
        let start = (time / Self.length).rounded(.down) * Self.length
        let times = Self.round.dropFirst().map { start + $0.time } + [start + Self.length + Self.round[1].time]
        return times.first { $0 > time } ?? time + Self.length
    }
}
