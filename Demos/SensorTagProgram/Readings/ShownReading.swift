import CoreBlueZ
import SensorTag

/// A reading that the commands show.
package protocol ShownReading: Sendable {
    /// The line that it makes.
    var report: Report { get }
    /// What it puts into the rows of a screen or page.
    var rowReadings: [RowReading] { get }
}

extension Report {
    package init(_ reading: some ShownReading) { self = reading.report }
}

extension SensorTagService {
    /// Delivers what the sensor measures. The end of the link is told once, by the tag's own handler.
    package func setShownReadingHandler(
        _ show: @escaping @BluetoothActor (any ShownReading) -> Void,
        failure: @escaping @BluetoothActor (BluetoothError) -> Void
    ) {
        (self as? any ShownSensor)?.deliver(show, failure)
    }
}

/// A sensor whose readings are shown; connection control is none.
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
