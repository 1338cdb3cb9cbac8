import BlueZClassic
import CoreBlueZ

/// A notification of `AccessoryManager`.
public enum AccessoryNotification: Sendable {
    /// An accessory is connected, its services are resolved, and it is in `AccessoryManager.connectedAccessories`.
    case connected(Accessory)
    /// An accessory was disconnected.
    case disconnected(Accessory)
}

extension AccessoryNotification: @BluetoothActor CustomStringConvertible {
    /// The kind of notification, with the accessory.
    @BluetoothActor public var description: String {
        switch self {
        case .connected(let accessory): "connected: \(accessory.text)"
        case .disconnected(let accessory): "disconnected: \(accessory.text)"
        }
    }
}

extension Accessory: @BluetoothActor CustomStringConvertible {
    /// The name, the address, the protocols, and whether it is connected, such as "UART (00:AA:02:00:00:77):
    /// com.example.uart, connected".
    public var description: String { "\(text), \(isConnected ? "connected" : "disconnected")" }

    /// The name, the address and the protocols, escaped for terminals.
    fileprivate var text: String {
        let address = peripheral.address.map { " (\($0))" } ?? ""
        let names = protocolStrings.map { $0.escapedForTerminal() }.joined(separator: ", ")
        return "\(name)\(name == peripheral.address?.description ? "" : address): \(names)"
    }
}

/// A manager that tracks which connected devices speak the application's protocols, whichever program connected them.
///
/// The manager does not connect devices by itself. `CentralManager`, another program, the device or `pickAccessory`
/// does. RFCOMM services of the protocols are registered with bluetoothd until the manager is released. So
/// `Peripheral.connect`, and devices, can open their channels if the `RFCOMMProfile` says so. Such a channel waits for
/// its session.
@BluetoothActor public final class AccessoryManager {
    /// The manager that connects the devices.
    public let central: CentralManager
    /// The protocols that the application speaks.
    public let protocols: [AccessoryProtocol]
    /// The connected accessories, in the order in which they connected, including those that were connected before this
    /// manager was created. The list is empty right after `init`, because an accessory is listed when its services and
    /// its information are known. `ready(timeout:completion:)` reports when those that were connected before are
    /// listed.
    public private(set) var connectedAccessories: [Accessory] = []
    /// Whether notifications are delivered; false by default.
    public private(set) var isRegisteredForNotifications = false
    /// Called with the notifications, after `registerForNotifications`.
    public var notificationHandler: (@BluetoothActor (AccessoryNotification) -> Void)?

    private struct ChannelKey: Hashable {
        let peripheral: ObjectIdentifier
        let uuid: BluetoothUUID
    }

    /// A device whose services and information are being read.
    @BluetoothActor private final class Preparation {
        /// Whether the device was connected before the manager began.
        let isOld: Bool

        init(isOld: Bool) { self.isOld = isOld }
    }

    private var preparations: [ObjectIdentifier: Preparation] = [:]
    private var channels: [ChannelKey: RFCOMMChannel] = [:]
    private var registered: Set<BluetoothUUID> = []
    private let consumers = EventConsumers<AccessoryNotification>()
    private var observers: [(key: ObjectIdentifier, body: @BluetoothActor () -> Void)] = []
    /// Whether Bluetooth has been on, so that the devices that were connected before are known.
    private var hasBegun = false
    private var states: Task<Void, Never>?
    private var observation: EventObservation?

    private static var connections = 0

    /// Creates a manager, which begins to look for accessories. `connectedAccessories` is empty at first.
    ///
    /// - Parameters:
    ///   - central: the manager that connects the devices. It is retained.
    ///   - protocols: the protocols that the application speaks.
    public init(_ central: CentralManager, protocols: [AccessoryProtocol]) {
        self.central = central
        self.protocols = protocols
        observation = central.observeEvents { [weak self] in self?.handle($0) }
        states = Task { [weak self, changes = central.stateChanges()] in
            do {
                for try await state in changes where state == .poweredOn { self?.begin() }
            } catch {}
        }
        if central.state == .poweredOn { begin() }
    }

    isolated deinit {
        states?.cancel()
        consumers.finish()
        for observer in observers { BluetoothActor.perform(observer.body) }
        for channel in channels.values { channel.close() }
        for uuid in registered { central.unregisterProfile(uuid) { _ in } }
    }

    // MARK: Notifications

    /// Delivers notifications of connections and disconnections from now on. There is no notification of the connection
    /// of accessories that are already listed, nor of those that were connected before this manager was created, even
    /// if they are listed later. `ready(timeout:completion:)` reports when these are in `connectedAccessories`.
    public func registerForNotifications() { isRegisteredForNotifications = true }

    /// Stops delivering notifications.
    public func unregisterForNotifications() { isRegisteredForNotifications = false }

    /// Returns the notifications from now on, while the manager is registered for them. The sequence ends when the
    /// manager is released.
    ///
    /// - Parameter limit: how many notifications are buffered for a slow consumer. If there are more, the sequence
    ///   throws `BluetoothError.Code.overflow`.
    public func notifications(bufferingUpTo limit: Int = 64) -> EventSequence<AccessoryNotification> {
        consumers.makeSequence(bufferingUpTo: limit)
    }

    private func notify(_ notification: AccessoryNotification) {
        guard isRegisteredForNotifications else { return }
        notificationHandler?(notification)
        consumers.append(notification)
    }

    // MARK: Devices

    /// Called when Bluetooth can be used, or can be used again. The profiles are registered before anything else is
    /// requested.
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
            // If it matters, opening a session reports the error.
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

    /// Returns a channel that waits for its session.
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
            // The device may have disconnected, and connected again, in the meantime.
            guard let self, self.preparations[key] === preparation else { return }
            self.preparations[key] = nil
            if let prepared, peripheral.isConnected {
                self.add(peripheral, prepared.0, prepared.1, notifies: !preparation.isOld)
            }
            self.tellObservers()
        }
    }

    /// Waits until the services are resolved, and reads the device's information. A classic device has no GATT
    /// services.
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

    /// Whether the accessories that were connected before are listed.
    var isReady: Bool { hasBegun && !preparations.values.contains(where: \.isOld) }

    private func tellObservers() {
        for observer in observers { observer.body() }
    }

    /// - Parameter body: called when the list or `isReady` may have changed, and when the manager is released.
    func addObserver(_ key: ObjectIdentifier, _ body: @escaping @BluetoothActor () -> Void) {
        observers.append((key, body))
    }

    func removeObserver(_ key: ObjectIdentifier) { observers.removeAll { $0.key == key } }
}
