extension CentralManager {
    /// Scans, and returns the results as a sequence. The scan ends when the task that takes the results is cancelled,
    /// when the last reference to the sequence is released, after `stopScan`, or after the options' duration. If the
    /// scan fails, the sequence throws its error; see `scanForPeripherals(withServices:options:found:completion:)`.
    ///
    /// - Parameters:
    ///   - services: reports only peripherals that advertise one of these services; nil reports all.
    ///   - options: the transport, the duration, the minimum signal strength and so on.
    ///   - limit: how many results are buffered for a slow consumer. If there are more, the scan ends and the sequence
    ///     throws `BluetoothError.Code.overflow`.
    public func scanResults(
        withServices services: [BluetoothUUID]? = nil,
        options: ScanOptions = ScanOptions(),
        bufferingUpTo limit: Int = 1024
    ) -> EventSequence<ScanResult> {
        let buffer = EventSequence<ScanResult>.Buffer(limit: limit)
        let scan = Scan(services: services.map(Set.init), options: options) { peripheral, advertisement, rssi in
            buffer.append(ScanResult(peripheral: peripheral, advertisement: advertisement, rssi: rssi))
        }
        let operation = startScan(scan) { buffer.finish($0.failure) }
        buffer.whenEnded { [weak operation] in operation?.succeed(()) }
        return EventSequence(buffer)
    }

    /// Returns the states of the manager: the current one first, then each new one. The sequence ends when the manager
    /// is released.
    ///
    /// - Parameter limit: how many elements are buffered for a slow consumer. If there are more, the sequence throws
    ///   `BluetoothError.Code.overflow`.
    public func stateChanges(bufferingUpTo limit: Int = 64) -> EventSequence<CentralManagerState> {
        stateConsumers.makeSequence(state, bufferingUpTo: limit)
    }

    /// Returns the events of adapters, scans and links from now on; see `CentralEvent`. The sequence ends when the
    /// manager is released.
    ///
    /// - Parameter limit: how many elements are buffered for a slow consumer. If there are more, the sequence throws
    ///   `BluetoothError.Code.overflow`.
    public func events(bufferingUpTo limit: Int = 1024) -> EventSequence<CentralEvent> {
        eventConsumers.makeSequence(bufferingUpTo: limit)
    }
}

/// A peripheral that a scan found, with what it advertised.
public struct ScanResult: Sendable {
    /// The peripheral that advertised.
    public let peripheral: Peripheral
    /// The data that the peripheral has advertised so far.
    public let advertisement: AdvertisementData
    /// The signal strength in dBm, or nil if bluetoothd did not report it.
    public let rssi: Int?
}
