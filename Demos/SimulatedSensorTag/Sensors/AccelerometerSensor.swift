/// Accelerometer of the first generation (KXTJ9): int8 for x, y and z, full scale at the range.
///
/// Firmware 1.3 knows 0 and 1 (±2 g). Firmware 1.5 takes 1, 2 and 3 for ±8, ±4 and ±2 g; higher values turn it on and
/// keep the range.
final class AccelerometerSensor: Sensor {
    private var range: Double = 2

    override func effect(of configuration: [UInt8]) -> Effect {
        guard tag?.model.isRecentCC2541 == true else { return super.effect(of: configuration) }
        switch configuration[0] {
        case 0: return .off
        case 1: range = 8
        case 2: range = 4
        case 3: range = 2
        default: break
        }
        return .on
    }

    override func measure(_ world: SensorWorld, at time: Double) -> [UInt8] {
        RawValue.bytes(world.acceleration(at: time), perUnit: 128 / range, as: Int8.self)
    }
}
