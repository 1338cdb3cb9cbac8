import CoreBlueZ
import SensorTag

extension SensorTagService {
    /// Turns what the sensor measures into reports. The end of the link is told once, by the tag's own handler.
    func setReportHandler(
        _ report: @escaping @BluetoothActor (Report) -> Void,
        failure: @escaping @BluetoothActor (BluetoothError) -> Void
    ) {
        func handler<Reading>(
            _ make: @escaping @BluetoothActor (Reading) -> Report
        ) -> @BluetoothActor (Reading?, BluetoothError?) -> Void {
            { reading, error in
                if let reading { report(make(reading)) }
                if let error, error.code != .disconnected { failure(error) }
            }
        }
        switch self {
        case let sensor as TemperatureService: sensor.readingHandler = handler { Report($0) }
        case let sensor as HumidityService: sensor.readingHandler = handler { Report($0) }
        case let sensor as BarometerService: sensor.readingHandler = handler { Report($0) }
        case let sensor as AccelerometerService: sensor.readingHandler = handler { Report($0) }
        case let sensor as MagnetometerService: sensor.readingHandler = handler { Report($0) }
        case let sensor as GyroscopeService: sensor.readingHandler = handler { Report($0) }
        case let sensor as MovementService: sensor.readingHandler = handler { Report($0) }
        case let sensor as OpticalService: sensor.readingHandler = handler { Report($0) }
        case let sensor as SimpleKeysService: sensor.readingHandler = handler { Report($0) }
        case let sensor as BatteryService: sensor.readingHandler = handler { Report($0) }
        default: break
        }
    }
}
