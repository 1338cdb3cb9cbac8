import CoreBlueZ

extension SensorTag {
    /// Discovers the services and their characteristics, recognises the generation, and reads the firmware's version,
    /// on which formulas depend. Connect first.
    ///
    /// - Parameter completion: gets the generation when the tag is ready; or the error of the first operation that
    ///   failed, or `notSupported` for a device that is no SensorTag.
    public func prepare(completion: @escaping @BluetoothActor (SensorTagGeneration?, BluetoothError?) -> Void) {
        discoverServices(nil) { [self] services, error in
            guard let services else { return completion(nil, error) }
            guard let generation else {
                let message = "\(displayName) is no SensorTag: it has none of a SensorTag's sensors"
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

    /// Makes the tag ready; the async twin of `prepare(completion:)`.
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
