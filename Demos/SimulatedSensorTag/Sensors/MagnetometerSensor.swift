/// Magnetometer of the first generation (MAG3110): int16 for x, y and z, 65536 for 2000 µT as TI's guide counts.
final class MagnetometerSensor: Sensor {
    override func measure(_ world: SensorWorld, at time: Double) -> [UInt8] {
        RawValue.bytes(world.magneticField(at: time), perUnit: 65536 / 2000, as: Int16.self)
    }
}
