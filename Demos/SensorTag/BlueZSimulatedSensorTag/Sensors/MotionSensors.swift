/// Accelerometer of the first generation (KXTJ9): int8 for x, y and z, full scale at the range.
///
/// Firmware 1.3 knows 0 and 1 (±2 g). Firmware 1.5 accepts 1, 2 and 3 for ±8, ±4 and ±2 g; higher values turn it on and
/// keep the range.
final class AccelerometerSensor: Sensor {
    private var range: Double = 2

    override func effect(of configuration: [UInt8]) -> Effect {
        guard tag?.model.hasOldFirmware == false else { return super.effect(of: configuration) }
        switch configuration[0] {
        case 0: return .off
        case 1: range = 8
        case 2: range = 4
        case 3: range = 2
        default: break
        }
        return .on
    }

    override func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] {
        RawValue.bytes(environment.acceleration(at: time), perUnit: 128 / range, as: Int8.self)
    }
}

/// Magnetometer of the first generation (MAG3110): int16 for x, y and z, 65536 for 2000 µT according to TI's guide.
final class MagnetometerSensor: Sensor {
    override func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] {
        RawValue.bytes(environment.magneticField(at: time), perUnit: 65536 / 2000, as: Int16.self)
    }
}

/// Gyroscope of the first generation (IMU-3000): int16 for x, y and z, 65536 for 500 °/s. The configuration is a mask
/// of axes: bit 0 x, bit 1 y, bit 2 z; the others stay zero.
final class GyroscopeSensor: Sensor {
    private var axes: UInt8 = 0

    override func effect(of configuration: [UInt8]) -> Effect {
        guard configuration[0] <= 7 else { return .none }
        axes = configuration[0]
        return axes == 0 ? .off : .on
    }

    override func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] {
        var rotation = environment.rotation(at: time)
        if axes & 1 == 0 { rotation.x = 0 }
        if axes & 2 == 0 { rotation.y = 0 }
        if axes & 4 == 0 { rotation.z = 0 }
        return RawValue.bytes(rotation, perUnit: 65536 / 500, as: Int16.self)
    }
}

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

    override func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] {
        let range = Double(2 << (configured >> 8 & 3))
        let field = environment.magneticField(at: time)
        // The magnetometer's chip is rotated: its x is the y of the others, and its z points down.
        let turned = SensorEnvironment.Vector(x: field.y, y: field.x, z: -field.z)
        return masked(environment.rotation(at: time), z: 0)
            .flatMap { RawValue.bytes(RawValue.nearest($0 * 65536 / 500) as Int16) }
            + masked(environment.acceleration(at: time), z: 3)
            .flatMap { RawValue.bytes(RawValue.nearest($0 * 32768 / range) as Int16) }
            + (configured & 0x40 == 0 ? [0, 0, 0] : [turned.x, turned.y, turned.z])
            .flatMap { RawValue.bytes(RawValue.nearest($0 * 32760 / 4912) as Int16) }
    }

    /// x, y and z, with zero for axes that the configuration leaves out; `z` is the bit of z, followed by y and x.
    private func masked(_ vector: SensorEnvironment.Vector, z bit: UInt16) -> [Double] {
        [(vector.x, bit + 2), (vector.y, bit + 1), (vector.z, bit)].map { configured & 1 << $0.1 == 0 ? 0 : $0.0 }
    }
}

extension SensorDesign {
    /// The accelerometer of the first generation. Its old firmware forgets the period when it is turned off.
    static func accelerometer(_ model: SensorTagModel) -> SensorDesign {
        SensorDesign(
            sensor: AccelerometerSensor.self, service: 0xAA10, name: "Accel.", length: 3, period: 0xAA13,
            forgetsPeriod: model.hasOldFirmware)
    }

    /// The magnetometer of the first generation. Its old firmware forgets the period when it is turned off.
    static func magnetometer(_ model: SensorTagModel) -> SensorDesign {
        SensorDesign(
            sensor: MagnetometerSensor.self, service: 0xAA30, name: "Magnet.", length: 6, period: 0xAA33,
            defaultPeriod: 200, forgetsPeriod: model.hasOldFirmware)
    }

    /// The gyroscope of the first generation.
    static func gyroscope(_ model: SensorTagModel) -> SensorDesign {
        SensorDesign(
            sensor: GyroscopeSensor.self, service: 0xAA50, name: "Gyro", length: 6,
            period: model.hasOldFirmware ? nil : 0xAA53)
    }

    /// The movement sensor of the second generation.
    static let movement = SensorDesign(
        sensor: MovementSensor.self, service: 0xAA80, name: "Movement", length: 18, period: 0xAA83,
        initialConfiguration: MovementSensor.initialConfiguration, clearsOnConfiguration: true)
}
