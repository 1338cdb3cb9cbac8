import BlueZSimulator
import CoreBlueZ
import FoundationEssentials

/// A simulated peripheral whose services real centrals use: this computer is that peripheral.
///
/// The peripheral's delegate, faults, responses and notifications are those that it has in the simulator. It has one
/// link, which begins when the first central uses a service, and ends when the last one of those disconnects.
///
/// bluetoothd chooses the handles, and offers Generic Access, Generic Attribute and the descriptors 0x2900 and 0x2902
/// itself. Included services are left out.
@BluetoothActor package final class ServedPeripheral {
    /// The manager that offers the services.
    package let manager: PeripheralManager
    /// The peripheral.
    package nonisolated let peripheral: SimulatedPeripheral
    /// The services, as they are offered.
    package private(set) var services: [LocalService] = []
    /// Called for each event.
    package var eventHandler: (@BluetoothActor (ServedEvent) -> Void)?

    /// The characteristics by those of the peripheral, and the other way round.
    var characteristics: [ObjectIdentifier: LocalCharacteristic] = [:]
    var originals: [ObjectIdentifier: SimulatedCharacteristic] = [:]
    private var link: ServedLink?
    /// The centrals of the link.
    private var users: Set<Central> = []
    /// The characteristics to which the peripheral's central has subscribed.
    private var configured: Set<ObjectIdentifier> = []
    /// The devices of which a connection was reported.
    private var reported: Set<Central> = []
    private var isSuspended = false

    /// The services that BlueZ offers itself.
    package nonisolated static let reserved: Set<BluetoothUUID> = [.genericAccess, .genericAttribute]

    /// Creates the services. Nothing is offered yet.
    package init(_ peripheral: SimulatedPeripheral, by manager: PeripheralManager) async {
        self.peripheral = peripheral
        self.manager = manager
        services = await SimulatorActor.run { peripheral.services }
            .filter { !Self.reserved.contains($0.uuid) }.map(service)
    }

    /// Offers all services.
    ///
    /// - Parameter note: see `unpublish(noting:)`.
    /// - Throws: the error of `PeripheralManager.publish`. Nothing is offered then.
    package func publish(
        noting note: @escaping @BluetoothActor (String) -> Void = { _ in }
    ) async throws(BluetoothError) {
        manager.eventHandler = { [weak self] in self?.handle($0) }
        for service in services {
            do throws(BluetoothError) {
                try await manager.publish(service)
            } catch {
                await unpublish(noting: note)
                throw error
            }
        }
    }

    /// Ends the offer, the advertisements of the manager, and the link of the peripheral. Centrals stay connected.
    ///
    /// - Parameter note: gets lines for users if bluetoothd does not reply; see `PeripheralManager.withdrawAll`.
    package func unpublish(noting note: @escaping @BluetoothActor (String) -> Void = { _ in }) async {
        await manager.withdrawAll(noting: note)
        manager.eventHandler = nil
        endLink()
    }

    func tell(_ event: ServedEvent) { eventHandler?(event) }

    // MARK: The link

    /// Begins the link, if there is none. If BlueZ does not say which central it is, it is one of those that are
    /// connected.
    func use(_ central: Central?) {
        if let central {
            users.insert(central)
        } else if users.isEmpty {
            users.formUnion(manager.centrals)
        }
        guard link == nil else { return }
        let link = ServedLink { [weak self] characteristic, value, done in
            guard let local = self?.characteristics[ObjectIdentifier(characteristic)] else { return done() }
            local.notify(Data(value)) { _ in done() }
        } end: { [weak self] in
            for central in self?.users ?? [] { central.peripheral.disconnect { _ in } }
        }
        self.link = link
        SimulatorActor.schedule(after: .zero) { [peripheral] in peripheral.connected(by: link) }
        // A bonded central's subscription is in force again.
        for characteristic in characteristics.values { configure(characteristic) }
    }

    private func endLink() {
        users.removeAll()
        configured.removeAll()
        guard let link = self.link.take() else { return }
        SimulatorActor.schedule(after: .zero) { [peripheral] in
            withExtendedLifetime(link) { peripheral.disconnected() }
        }
    }

    func subscriptionChanged(_ characteristic: LocalCharacteristic, _ change: SubscriptionChange) {
        switch change {
        case .subscribed(let central):
            use(central)
            tell(.subscribed(characteristic, central))
        case .unsubscribed(let central): tell(.unsubscribed(characteristic, central))
        }
        configure(characteristic)
    }

    /// Lets the peripheral's central subscribe, or unsubscribe.
    private func configure(_ characteristic: LocalCharacteristic) {
        let key = ObjectIdentifier(characteristic)
        let isOn = characteristic.isNotifying
        guard link != nil, configured.contains(key) != isOn, let original = originals[key] else { return }
        if isOn { configured.insert(key) } else { configured.remove(key) }
        let kind: UInt16 = characteristic.properties.contains(.notify) ? 1 : 2
        SimulatorActor.schedule(after: .zero) { [peripheral] in
            peripheral.configure(original, isOn ? kind : 0) { _ in }
        }
    }

    private func handle(_ event: PeripheralEvent) {
        switch event {
        case .centralConnected(let central):
            reported.insert(central)
            tell(.connected(central))
        case .centralDisconnected(let central):
            users.remove(central)
            if users.isEmpty { endLink() }
            if reported.remove(central) != nil { tell(.disconnected(central)) }
        case .unpublished:
            guard !isSuspended else { return }
            isSuspended = true
            endLink()
            tell(.suspended)
        case .published:
            guard isSuspended, services.allSatisfy(\.isPublished) else { return }
            isSuspended = false
            tell(.resumed)
        case .publishingFailed(_, let error), .advertisingFailed(_, let error): tell(.failed(error))
        case .advertisingBegan, .advertisingEnded, .subscriptionChanged: break
        }
    }
}

/// An event of a ``ServedPeripheral``. A central is nil if BlueZ does not say which one it is.
package enum ServedEvent: Sendable {
    /// A device has connected.
    case connected(Central)
    /// The link of a device has ended.
    case disconnected(Central)
    /// A central has read an attribute, whose response was a value or an error.
    case read(LocalAttribute, Central?, Result<Data, ATTError>)
    /// A central has written a value to an attribute, and the response was nil or an error.
    case written(LocalAttribute, Central?, Data, ATTError?)
    /// A central has subscribed.
    case subscribed(LocalCharacteristic, Central?)
    /// A central has unsubscribed, or its link has ended.
    case unsubscribed(LocalCharacteristic, Central?)
    /// bluetoothd or the adapter is gone. The services are offered again when they are back.
    case suspended
    /// The services are offered again.
    case resumed
    /// bluetoothd has refused to offer the services, or to advertise, again. Another attempt follows.
    case failed(BluetoothError)
}
