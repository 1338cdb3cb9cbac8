/// A snapshot of a peripheral: a value for any thread, mainly for user interfaces.
public struct PeripheralSnapshot: Hashable, Identifiable, Sendable {
    /// What stays the same for a device; see `Peripheral.id`.
    public let id: String
    /// The device's name, if known.
    public var name: String?
    /// The name that the user gave the device in BlueZ, otherwise its own.
    public var alias: String?
    /// The device's address.
    public var address: BluetoothAddress?
    /// The state of its connection.
    public var state: PeripheralState
    /// Whether a lost link is being brought back.
    public var isReconnecting: Bool
    /// Whether it is paired.
    public var isPaired: Bool
    /// The signal strength of the last advertisement in dBm, while scanning.
    public var rssi: Int?
    /// The charge in percent, if bluetoothd reports it.
    public var batteryLevel: Int?
    /// The data advertised so far.
    public var advertisement: AdvertisementData
    /// The UUIDs of the services that were discovered, in the order of `Peripheral.services`.
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

/// An observation begun with `Peripheral.observe`: it ends when this is cancelled or released.
public final class PeripheralObservation: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }

    /// Ends it. The handler may still be called with snapshots on their way.
    public func cancel() { end() }
}

/// Identifies an observer.
final class SnapshotKey: Sendable {}

/// The observers of a peripheral, with the snapshots they have got.
@BluetoothActor final class SnapshotFeed {
    private struct Observer {
        let key: SnapshotKey
        let handler: @BluetoothActor (PeripheralSnapshot) -> Void
        var last: PeripheralSnapshot?
    }

    weak var peripheral: Peripheral?
    private var observers: [Observer] = []
    private var isDue = false

    var isEmpty: Bool { observers.isEmpty }

    func add(_ handler: @escaping @BluetoothActor (PeripheralSnapshot) -> Void, for key: SnapshotKey) {
        observers.append(Observer(key: key, handler: handler))
        noteChange()
    }

    func remove(_ key: SnapshotKey) {
        observers.removeAll { $0.key === key }
    }

    /// Something may have changed. Changes within one pass of the loop are reported together.
    func noteChange() {
        guard !observers.isEmpty, !isDue else { return }
        isDue = true
        BluetoothActor.later { [weak self] in self?.report() }
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

    /// Calls `handler` with a snapshot soon, and after each change. A peripheral may have several observers in addition
    /// to its handlers. Simultaneous changes are reported together.
    ///
    /// ```swift
    /// observation = tag.observe(BluetoothActor.onMainActor { snapshot in label.text = snapshot.name })
    /// ```
    ///
    /// - Returns: the observation: it ends when this is released or cancelled, and with the peripheral's object.
    public nonisolated func observe(
        _ handler: @escaping @BluetoothActor (PeripheralSnapshot) -> Void
    ) -> PeripheralObservation {
        let key = SnapshotKey()
        BluetoothActor.perform { [weak self] in self?.feed.add(handler, for: key) }
        return PeripheralObservation { [weak self] in
            BluetoothActor.perform { self?.feed.remove(key) }
        }
    }

    /// The current snapshot, then one after each change. The handler form is `observe(_:)`.
    ///
    /// - Parameter limit: how many are buffered for a slow consumer. Beyond it the sequence ends with
    ///   `BluetoothError.Code.overflow`.
    public func snapshots(bufferingUpTo limit: Int = 64) -> EventSequence<PeripheralSnapshot> {
        let buffer = EventSequence<PeripheralSnapshot>.Buffer(limit: limit)
        let observation = observe { buffer.append($0) }
        buffer.whenEnded { observation.cancel() }
        return EventSequence(buffer)
    }
}
