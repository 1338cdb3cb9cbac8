import CoreBlueZ

/// A TI SensorTag with the services of this port: barometer and temperature.
public final class DEASensorTag: Peripheral {
    /// TI's base address of the services and characteristics.
    public nonisolated static let base: BluetoothUUID = "F0000000-0451-4000-B000-000000000000"

    /// The barometer.
    public let barometer = DEABarometerService()
    /// The infrared thermometer.
    public let temperature = DEATemperatureService()

    /// Declares the services.
    override public init(_ device: DiscoveredDevice) {
        super.init(device)
        addService(barometer)
        addService(temperature)
    }

    /// Connects, discovers everything under a watchdog, calibrates the barometer and switches both sensors on.
    ///
    /// - Parameters:
    ///   - timeout: how long connecting and discovering may take.
    ///   - completion: gets nil when both sensors are on, or the error of the first step that failed.
    public func connectAndTurnOn(
        timeout: Duration = .seconds(5),
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        connectAndDiscover(timeout: timeout) { [self] _, error in
            if let error { return completion(error) }
            barometer.requestCalibration { [self] error in
                if let error { return completion(error) }
                barometer.turnOn { [self] error in
                    if let error { return completion(error) }
                    temperature.turnOn(completion: completion)
                }
            }
        }
    }
}
