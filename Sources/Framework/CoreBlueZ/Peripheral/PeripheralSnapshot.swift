/// A snapshot of a peripheral, which can be used on any thread. Mainly for user interfaces.
public struct PeripheralSnapshot: Hashable, Identifiable, Sendable {
    /// The identifier of the device, which all its snapshots have in common; see `Peripheral.id`.
    public let id: String
    /// The device's name as the device sends it, or nil if it is not known yet.
    public var name: String?
    /// The name that the user gave the device in BlueZ, otherwise the device's own name, otherwise its address.
    public var alias: String?
    /// The device's address, or nil if bluetoothd no longer knows the device.
    public var address: BluetoothAddress?
    /// The state of the link; see `Peripheral.state`.
    public var state: PeripheralState
    /// Whether `Peripheral.reconnectPolicy` is restoring a lost link.
    public var isReconnecting: Bool
    /// Whether the device is paired, by this program or another.
    public var isPaired: Bool
    /// The signal strength of the last advertisement in dBm, while scanning.
    public var rssi: Int?
    /// The battery charge in percent, if bluetoothd reports it; see `Peripheral.batteryLevel`.
    public var batteryLevel: Int?
    /// The data that the device has advertised so far.
    public var advertisement: AdvertisementData
    /// The UUIDs of the discovered services, in the order of `Peripheral.services`.
    public var services: [BluetoothUUID]

    @BluetoothActor init(_ peripheral: Peripheral) {
        id = peripheral.id
        name = peripheral.name
        alias = peripheral.alias
        address = peripheral.address
        state = peripheral.state
        isReconnecting = peripheral.isReconnecting
        isPaired = peripheral.isPaired
        rssi = peripheral.rssi
        batteryLevel = peripheral.batteryLevel
        advertisement = peripheral.advertisement
        services = peripheral.services.filter(\.isDiscovered).map(\.uuid)
    }
}

/// The observers of a peripheral, with the last snapshot that each has received.
@BluetoothActor final class SnapshotFeed {
    private struct Observer {
        let key: ObservationKey
        let handler: @BluetoothActor (PeripheralSnapshot) -> Void
        var last: PeripheralSnapshot?
    }

    weak var peripheral: Peripheral?
    private var observers: [Observer] = []
    private var isDue = false

    var isEmpty: Bool { observers.isEmpty }

    func add(_ handler: @escaping @BluetoothActor (PeripheralSnapshot) -> Void, for key: ObservationKey) {
        observers.append(Observer(key: key, handler: handler))
        noteChange()
    }

    func remove(_ key: ObservationKey) {
        observers.removeAll { $0.key === key }
    }

    /// Notes that something may have changed. Changes within one pass of the loop are reported together.
    func noteChange() {
        guard !observers.isEmpty, !isDue else { return }
        isDue = true
        BluetoothActor.perform { [weak self] in self?.report() }
    }

    private func report() {
        isDue = false
        guard let snapshot = peripheral?.snapshot else { return }
        let concerned = observers.filter { $0.last != snapshot }
        for index in observers.indices { observers[index].last = snapshot }
        // A handler may add or remove observers.
        for observer in concerned { observer.handler(snapshot) }
    }
}

extension Peripheral {
    /// The peripheral's current state.
    public var snapshot: PeripheralSnapshot { PeripheralSnapshot(self) }

    /// Calls `handler` with a snapshot soon, and after each change. A peripheral can have several observers in addition
    /// to its handlers. Changes at the same time are reported together.
    ///
    /// ```swift
    /// observation = tag.observe(BluetoothActor.onMainActor { snapshot in label.text = snapshot.name })
    /// ```
    ///
    /// - Returns: the observation, which ends when it is released or cancelled, or with the peripheral's object.
    public nonisolated func observe(
        _ handler: @escaping @BluetoothActor (PeripheralSnapshot) -> Void
    ) -> EventObservation {
        let key = ObservationKey()
        BluetoothActor.perform { [weak self] in self?.feed.add(handler, for: key) }
        return EventObservation { [weak self] in
            BluetoothActor.perform { self?.feed.remove(key) }
        }
    }

    /// Returns the current snapshot, then one after each change. The handler form is `observe(_:)`.
    ///
    /// - Parameter limit: how many snapshots are buffered for a slow consumer. If there are more, the sequence throws
    ///   `BluetoothError.Code.overflow`.
    public func snapshots(bufferingUpTo limit: Int = 64) -> EventSequence<PeripheralSnapshot> {
        let buffer = EventSequence<PeripheralSnapshot>.Buffer(limit: limit)
        let observation = observe { buffer.append($0) }
        buffer.whenEnded { observation.cancel() }
        return EventSequence(buffer)
    }
}
