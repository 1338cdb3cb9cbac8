/// Movement of the second generation (MPU-9250): nine int16, gyroscope, accelerometer and magnetometer, x, y and z
/// each.
///
/// The configuration is a uint16: bits 0 to 2 gyroscope z, y, x; 3 to 5 accelerometer z, y, x; 6 magnetometer; 7 wake
/// on motion; 8 and 9 the accelerometer's range of 2, 4, 8 or 16 g. Wake on motion is not simulated: this tag is never
/// at rest.
final class MovementSensor: Sensor {
    /// Nothing on, range of 8 g.
    nonisolated static let initialConfiguration: [UInt8] = [0x00, 0x02]
    private var configured: UInt16 = 0

    override func effect(of configuration: [UInt8]) -> Effect {
        configured = UInt16(configuration[0]) | UInt16(configuration[1]) << 8
        return configured & 0x7F == 0 ? .off : .on
    }

    override func measure(_ world: SensorWorld, at time: Double) -> [UInt8] {
        let range = Double(2 << (configured >> 8 & 3))
        let field = world.magneticField(at: time)
        // The magnetometer's chip lies turned: its x is y of the others, its z points down.
        let turned = SensorWorld.Vector(x: field.y, y: field.x, z: -field.z)
        return masked(world.rotation(at: time), z: 0)
            .flatMap { RawValue.bytes(RawValue.nearest($0 * 65536 / 500) as Int16) }
            + masked(world.acceleration(at: time), z: 3)
            .flatMap { RawValue.bytes(RawValue.nearest($0 * 32768 / range) as Int16) }
            + (configured & 0x40 == 0 ? [0, 0, 0] : [turned.x, turned.y, turned.z])
            .flatMap { RawValue.bytes(RawValue.nearest($0 * 32760 / 4912) as Int16) }
    }

    /// x, y and z, zero where the configuration leaves an axis out; `z` is the bit of z, and y and x follow.
    private func masked(_ vector: SensorWorld.Vector, z bit: UInt16) -> [Double] {
        [(vector.x, bit + 2), (vector.y, bit + 1), (vector.z, bit)].map { configured & 1 << $0.1 == 0 ? 0 : $0.0 }
    }
}
