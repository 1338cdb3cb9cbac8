/// Gyroscope of the first generation (IMU-3000): int16 for x, y and z, 65536 for 500 °/s. The configuration is a mask
/// of axes: bit 0 x, bit 1 y, bit 2 z; the others stay zero.
final class GyroscopeSensor: Sensor {
    private var axes: UInt8 = 0

    override func effect(of configuration: [UInt8]) -> Effect {
        guard configuration[0] <= 7 else { return .none }
        axes = configuration[0]
        return axes == 0 ? .off : .on
    }

    override func measure(_ world: SensorWorld, at time: Double) -> [UInt8] {
        var rotation = world.rotation(at: time)
        if axes & 1 == 0 { rotation.x = 0 }
        if axes & 2 == 0 { rotation.y = 0 }
        if axes & 4 == 0 { rotation.z = 0 }
        return RawValue.bytes(rotation, perUnit: 65536 / 500, as: Int16.self)
    }
}
