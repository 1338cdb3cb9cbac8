import CoreBlueZ

/// A TI SensorTag of either generation: its services, by name and typed.
///
/// Connect, then call `prepare`, which discovers the services, recognizes the generation and reads the firmware.
/// Services that the tag does not have exist too, with `isDiscovered` false.
open class SensorTag: Peripheral {
    /// Infrared thermometer; not on later boards of the CC2650.
    public let temperature = TemperatureService()
    /// Accelerometer; CC2541.
    public let accelerometer = AccelerometerService()
    /// Humidity sensor.
    public let humidity = HumidityService()
    /// Magnetometer; CC2541.
    public let magnetometer = MagnetometerService()
    /// Barometer.
    public let barometer = BarometerService()
    /// Gyroscope; CC2541.
    public let gyroscope = GyroscopeService()
    /// Keys.
    public let keys = SimpleKeysService()
    /// Gyroscope, accelerometer and magnetometer; CC2650.
    public let movement = MovementService()
    /// Light sensor; CC2650.
    public let optical = OpticalService()
    /// LEDs, buzzer and self-test; CC2650.
    public let io = IOService()
    /// Self-test; CC2541.
    public let test = TestService()
    /// Battery; CC2650.
    public let battery = BatteryService()
    /// Parameters of the connection; CC2541 from firmware 1.4, and CC2650.
    public let connection = ConnectionControlService()
    /// Device information.
    public let information = DeviceInformationService()

    /// The version of the tag's firmware; nil until `prepare` has read it, and if its text contains none.
    public internal(set) var firmware: FirmwareVersion?

    /// Declares the services. Any device may turn out to be a tag: names change, and the CC2541 advertises only a name.
    override public init(_ device: DiscoveredDevice) {
        super.init(device)
        for service in sensors { addService(service) }
        addService(io)
        addService(test)
        addService(information)
    }

    /// The services that deliver readings, of both generations.
    public var sensors: [SensorTagService] {
        [
            temperature, accelerometer, humidity, magnetometer, barometer, gyroscope, keys, movement, optical, battery,
            connection,
        ]
    }

    /// The generation, from the discovered services, not from names; nil before, and for other devices.
    public var generation: SensorTagGeneration? {
        SensorTagGeneration(services: services.lazy.filter(\.isDiscovered).map(\.uuid.fullString))
    }

    /// The likely generation, from name and advertisement; nil if nothing points to a SensorTag.
    public var likelyGeneration: SensorTagGeneration? { SensorTagGeneration(name, advertisement) }

    /// Discards the firmware's version, which may be different after a reconnection.
    override open func didDisconnect(_ error: BluetoothError?) {
        firmware = nil
        super.didDisconnect(error)
    }
}

extension SensorTag {
    /// Discovers the services and their characteristics, recognizes the generation, and reads the firmware's version,
    /// on which formulas depend. Connect first.
    ///
    /// - Parameter completion: gets the generation when the tag is ready; or the error of the first operation that
    ///   failed, or `notSupported` for a device that is not a SensorTag.
    public func prepare(completion: @escaping @BluetoothActor (SensorTagGeneration?, BluetoothError?) -> Void) {
        discoverServices(nil) { [self] services, error in
            guard let services else { return completion(nil, error) }
            guard let generation else {
                let message = "\(displayName) is not a SensorTag: it has none of a SensorTag's sensors"
                return completion(nil, BluetoothError(.notSupported, message))
            }
            let discoveries = services.map { service -> Step in
                { done in service.discoverCharacteristics(nil) { _, error in done(error) } }
            }
            StepQueue.run(discoveries + [readFirmware]) { error in
                if let error { completion(nil, error) } else { completion(generation, nil) }
            }
        }
    }

    /// Makes the tag ready; the async form of `prepare(completion:)`.
    @discardableResult
    public func prepare() async throws(BluetoothError) -> SensorTagGeneration {
        try await waiting { prepare(completion: $0) }
    }

    private func readFirmware(_ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard let characteristic = information["firmware"], characteristic.isDiscovered else { return done(nil) }
        characteristic.readValue { [self] value, error in
            firmware = value.flatMap { FirmwareVersion(DeviceInformationText.text(from: $0)) }
            done(error)
        }
    }
}
