import BluetoothClassic
import CoreBlueZ

/// What `AccessoryManager` notifies of.
public enum AccessoryNotification: Sendable {
    /// An accessory is connected, its services are resolved, and it is in `AccessoryManager.connectedAccessories`.
    case connected(Accessory)
    /// An accessory was disconnected.
    case disconnected(Accessory)
}

/// Follows which connected devices speak the application's protocols, whoever connected them.
///
/// It connects to nothing by itself: `CentralManager`, another program or the device does, or `pickAccessory`. RFCOMM services
/// of the protocols are registered with bluetoothd while the manager lives, so that `Peripheral.connect` opens their channels
/// and devices can, if their `RFCOMMProfile` says so; such a channel waits for its session.
@BluetoothActor public final class AccessoryManager {
    /// What the devices are connected with.
    public let central: CentralManager
    /// The declared protocols.
    public let protocols: [AccessoryProtocol]
    /// The accessories that are connected, the longest connected first; also those that were before this manager was made.
    /// It is empty right after `init`, because each is listed once its services and what it says of itself are known;
    /// `ready(timeout:completion:)` reports when those that were connected before are.
    public private(set) var connectedAccessories: [Accessory] = []
    /// Whether notifications are delivered.
    public private(set) var isRegisteredForNotifications = false
    /// Gets the notifications, after `registerForNotifications` only.
    public var notificationHandler: (@BluetoothActor (AccessoryNotification) -> Void)?

    private struct ChannelKey: Hashable {
        let peripheral: ObjectIdentifier
        let uuid: BluetoothUUID
    }

    /// A device whose services and information are being read.
    @BluetoothActor private final class Preparation {
        /// Whether it was connected before the manager began.
        let isOld: Bool

        init(isOld: Bool) { self.isOld = isOld }
    }

    private var preparations: [ObjectIdentifier: Preparation] = [:]
    private var channels: [ChannelKey: RFCOMMChannel] = [:]
    private var registered: Set<BluetoothUUID> = []
    private var buffers: [ObjectIdentifier: EventSequence<AccessoryNotification>.Buffer] = [:]
    private var observers: [ObjectIdentifier: @BluetoothActor () -> Void] = [:]
    /// Whether Bluetooth has been on, so that whatever was connected before is known.
    private var hasBegun = false
    private var states: Task<Void, Never>?

    private static var connections = 0

    /// Makes a manager and begins to look for accessories; `connectedAccessories` is empty at first.
    ///
    /// - Parameters:
    ///   - central: what connects the devices; it is kept.
    ///   - protocols: the protocols that the application speaks.
    public init(_ central: CentralManager, protocols: [AccessoryProtocol]) {
        self.central = central
        self.protocols = protocols
        central.addEventObserver(ObjectIdentifier(self)) { [weak self] in self?.handle($0) }
        states = Task { [weak self, changes = central.stateChanges()] in
            do {
                for try await state in changes where state == .poweredOn { self?.begin() }
            } catch {}
        }
        if central.state == .poweredOn { begin() }
    }

    isolated deinit {
        states?.cancel()
        central.removeEventObserver(ObjectIdentifier(self))
        for buffer in buffers.values { buffer.finish(nil) }
        for observer in observers.values { BluetoothActor.later { observer() } }
        for channel in channels.values { channel.close() }
        for uuid in registered { central.unregisterProfile(uuid) { _ in } }
    }

    // MARK: Notifications

    /// From now on connections and disconnections are notified of. There is no notification of the connection of accessories
    /// that are listed already, nor of those that were connected before this manager was made, even if they are listed later:
    /// `ready(timeout:completion:)` reports when `connectedAccessories` has them.
    public func registerForNotifications() { isRegisteredForNotifications = true }

    /// From now on nothing is notified of.
    public func unregisterForNotifications() { isRegisteredForNotifications = false }

    /// The notifications from now on, while the manager is registered for them. The sequence ends with the manager.
    ///
    /// - Parameter limit: how many are kept for a consumer that is slow. One more, and the sequence ends with
    ///   `BluetoothError.Code.overflow`.
    public func notifications(bufferingUpTo limit: Int = 64) -> EventSequence<AccessoryNotification> {
        let buffer = EventSequence<AccessoryNotification>.Buffer(limit: limit)
        let key = ObjectIdentifier(buffer)
        buffers[key] = buffer
        buffer.whenEnded { [weak self] in self?.buffers[key] = nil }
        return EventSequence(buffer)
    }

    private func notify(_ notification: AccessoryNotification) {
        guard isRegisteredForNotifications else { return }
        notificationHandler?(notification)
        for buffer in buffers.values { buffer.append(notification) }
    }

    // MARK: Devices

    /// Bluetooth can be used, perhaps again. bluetoothd has the profiles before anything that is asked of it afterwards.
    private func begin() {
        for profile in protocols.flatMap(\.carriers).compactMap(\.rfcommProfile) { register(profile) }
        for peripheral in central.retrieveKnownPeripherals() where peripheral.isConnected { consider(peripheral) }
        hasBegun = true
        tellObservers()
    }

    private func register(_ profile: RFCOMMProfile) {
        guard registered.insert(profile.uuid).inserted else { return }
        central.registerProfile(profile) { [weak self] in
            self?.keep($0)
        } completion: { [weak self] error in
            // Opening a session says it, if it matters.
            if error != nil { self?.registered.remove(profile.uuid) }
        }
    }

    private func keep(_ channel: RFCOMMChannel) {
        guard let peripheral = channel.peripheral else { return channel.close() }
        let key = ChannelKey(peripheral: ObjectIdentifier(peripheral), uuid: channel.uuid)
        channels[key] = channel
        channel.endHandler = { [weak self, weak channel] _ in
            if let channel, self?.channels[key] === channel { self?.channels[key] = nil }
        }
    }

    /// A channel that waits for its session.
    func takeChannel(of peripheral: Peripheral, _ uuid: BluetoothUUID) -> RFCOMMChannel? {
        let key = ChannelKey(peripheral: ObjectIdentifier(peripheral), uuid: uuid)
        guard let channel = channels.removeValue(forKey: key), channel.isOpen else { return nil }
        channel.endHandler = nil
        return channel
    }

    private func handle(_ event: CentralEvent) {
        switch event {
        case .connected(let peripheral), .servicesResolved(let peripheral), .servicesChanged(let peripheral):
            consider(peripheral)
        case .disconnected(let peripheral): forget(peripheral)
        default: break
        }
    }

    private func consider(_ peripheral: Peripheral) {
        let key = ObjectIdentifier(peripheral)
        guard preparations[key] == nil, !connectedAccessories.contains(where: { $0.peripheral === peripheral }) else {
            return
        }
        let preparation = Preparation(isOld: !hasBegun)
        preparations[key] = preparation
        Task { [weak self] in
            let prepared = await Self.prepare(peripheral, self?.protocols ?? [])
            // It may have gone, and come back, meanwhile.
            guard let self, self.preparations[key] === preparation else { return }
            self.preparations[key] = nil
            if let prepared, peripheral.isConnected {
                self.add(peripheral, prepared.0, prepared.1, notifies: !preparation.isOld)
            }
            self.tellObservers()
        }
    }

    /// Waits until the services are resolved and reads what the device says of itself. A classic device has no GATT services.
    private static func prepare(
        _ peripheral: Peripheral, _ protocols: [AccessoryProtocol]
    ) async -> ([AccessoryProtocol], DeviceInformation)? {
        do throws(BluetoothError) {
            try await peripheral.discoverServices()
        } catch {
            guard error.code == .discoveryFailed else { return nil }
        }
        let spoken = protocols.filter { $0.carriers.contains { $0.isOffered(by: peripheral) } }
        return spoken.isEmpty ? nil : (spoken, await DeviceInformation.read(of: peripheral))
    }

    private func add(
        _ peripheral: Peripheral, _ spoken: [AccessoryProtocol], _ information: DeviceInformation, notifies: Bool
    ) {
        Self.connections += 1
        let accessory = Accessory(Self.connections, peripheral, information, spoken, self)
        connectedAccessories.append(accessory)
        if notifies { notify(.connected(accessory)) }
    }

    private func forget(_ peripheral: Peripheral) {
        preparations[ObjectIdentifier(peripheral)] = nil
        let gone = connectedAccessories.filter { $0.peripheral === peripheral }
        connectedAccessories.removeAll { $0.peripheral === peripheral }
        for accessory in gone {
            accessory.didDisconnect()
            notify(.disconnected(accessory))
        }
        tellObservers()
    }

    // MARK: For those who wait

    /// Whether those that were connected before are listed.
    var isReady: Bool { hasBegun && !preparations.values.contains(where: \.isOld) }

    private func tellObservers() {
        for observer in observers.values { observer() }
    }

    /// - Parameter body: called when the list or `isReady` may have changed, and when the manager is gone.
    func addObserver(_ key: ObjectIdentifier, _ body: @escaping @BluetoothActor () -> Void) {
        observers[key] = body
    }

    func removeObserver(_ key: ObjectIdentifier) { observers[key] = nil }
}
