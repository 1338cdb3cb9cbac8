extension CentralManager {
    /// Scans, and returns the results as a sequence. The scan ends, in bluetoothd too, with the task that takes the
    /// results, with the last reference to the sequence, with `stopScan`, or after the options' duration. If scanning
    /// fails, the sequence throws the error.
    ///
    /// - Parameters:
    ///   - services: report only peripherals that advertise one of these; nil reports all.
    ///   - options: duplicates, signal strength, duration.
    ///   - limit: how many results are buffered for a slow consumer. Beyond it the sequence and the scan end with
    ///     `BluetoothError.Code.overflow`.
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

    /// The states of the manager: the current one first, then each change. The sequence ends with the manager.
    ///
    /// - Parameter limit: how many are buffered for a slow consumer. Beyond it the sequence ends with
    ///   `BluetoothError.Code.overflow`.
    public func stateChanges(bufferingUpTo limit: Int = 64) -> EventSequence<CentralManagerState> {
        let buffer = EventSequence<CentralManagerState>.Buffer(limit: limit)
        buffer.append(state)
        stateConsumers.add(buffer)
        return EventSequence(buffer)
    }

    /// The events of adapters and links from now on; see `CentralEvent`. The sequence ends with the manager.
    ///
    /// - Parameter limit: how many are buffered for a slow consumer. Beyond it the sequence ends with
    ///   `BluetoothError.Code.overflow`.
    public func events(bufferingUpTo limit: Int = 1024) -> EventSequence<CentralEvent> {
        let buffer = EventSequence<CentralEvent>.Buffer(limit: limit)
        eventConsumers.add(buffer)
        return EventSequence(buffer)
    }
}

/// A result of a scan.
public struct ScanResult: Sendable {
    /// The peripheral.
    public let peripheral: Peripheral
    /// Its advertisement data.
    public let advertisement: AdvertisementData
    /// The signal strength in dBm, if known.
    public let rssi: Int?
}
