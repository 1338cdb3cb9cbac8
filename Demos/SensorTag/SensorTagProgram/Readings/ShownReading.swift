import BlueZSensorTag
import CoreBlueZ

/// A reading that the commands show.
package protocol ShownReading: Sendable {
    /// Its line of output.
    var report: Report { get }
    /// Its rows in the monitor.
    var rowReadings: [RowReading] { get }
}

extension Report {
    package init(_ reading: some ShownReading) { self = reading.report }
}

extension SensorTagService {
    /// Delivers the sensor's measurements. The tag's own handler reports the end of the link once.
    package func setShownReadingHandler(
        _ show: @escaping @BluetoothActor (any ShownReading) -> Void,
        failure: @escaping @BluetoothActor (BluetoothError) -> Void
    ) {
        (self as? any ShownSensor)?.deliver(show, failure)
    }
}

/// A sensor whose readings are shown, that is, every service with readings except connection control.
@BluetoothActor private protocol ShownSensor {
    func deliver(
        _ show: @escaping @BluetoothActor (any ShownReading) -> Void,
        _ failure: @escaping @BluetoothActor (BluetoothError) -> Void
    )
}

extension SensorService: ShownSensor where Reading: ShownReading {
    fileprivate func deliver(
        _ show: @escaping @BluetoothActor (any ShownReading) -> Void,
        _ failure: @escaping @BluetoothActor (BluetoothError) -> Void
    ) {
        readingHandler = { reading, error in
            if let reading { show(reading) }
            if let error, error.code != .disconnected { failure(error) }
        }
    }
}
