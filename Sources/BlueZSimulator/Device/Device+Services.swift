import DBus
import PrintableText

extension Device {
    /// What bluetoothd's own plug-ins reserve in 5.66: Generic Access and human interface devices.
    private static let claimed: Set<AttributeUUID> = [.genericAccess, .humanInterfaceDevice]

    /// The GATT client is ready: gatt_client_ready_cb().
    func discoverServices(_ link: Link) {
        setTemporary(false)
        let fault = link.peripheral.connectionFault
        areServicesKnown = true
        areServicesResolved = true
        if fault == .earlyResolution {
            changed("ServicesResolved")
            server.flush()
        }
        if fault != .emptyDiscovery { update(from: link.peripheral) }
        if fault != .earlyResolution { changed("ServicesResolved") }
        advertisedUUIDs.removeAll()
        pairing?.servicesResolved()
        SimulatorActor.schedule(after: .zero) { [weak self, weak link] in
            if let self, let link, self.link === link { self.readProfiles(link) }
        }
    }

    /// Service Changed: removes what is gone, adds what is new. bluetoothd 5.66 does not touch ServicesResolved.
    func servicesChanged() {
        guard let link, areServicesResolved else { return }
        update(from: link.peripheral)
    }

    private func update(from peripheral: SimulatedPeripheral) {
        for service in services where !peripheral.services.contains(where: { $0 === service.service }) {
            services.removeAll { $0 === service }
            let uuid = service.service.uuid
            if !peripheral.services.contains(where: { $0.uuid == uuid }) {
                uuids.removeAll { $0 == uuid.string }
                changed("UUIDs")
            }
            service.unregister()
        }
        addUUIDs(peripheral.services.map(\.uuid))
        for service in peripheral.services where !Self.claimed.contains(service.uuid) {
            guard !services.contains(where: { $0.service === service }) else { continue }
            guard let remote = try? RemoteService(service, of: self) else { continue }
            services.append(remote)
            remote.export()
        }
        services.forEach { $0.includesChanged() }
    }

    func addUUIDs(_ new: [AttributeUUID]) {
        let missing = Set(new.map(\.string)).subtracting(uuids)
        guard !missing.isEmpty else { return }
        uuids = (uuids + missing).sorted()
        changed("UUIDs")
    }

    /// The GAP, device information and battery plug-ins read what they need.
    private func readProfiles(_ link: Link) {
        let peripheral = link.peripheral
        read(.deviceName, of: peripheral[.genericAccess], link) { [weak self] bytes in
            self?.setName(bytes)
        }
        read(.appearance, of: peripheral[.genericAccess], link) { [weak self] bytes in
            guard bytes.count == 2 else { return }
            self?.setAppearance(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
        }
        read(.pnpIdentifier, of: peripheral[.deviceInformation], link) { [weak self] bytes in
            self?.setPnPIdentifier(bytes)
        }
        read(.batteryLevel, of: peripheral[.battery], link) { [weak self] bytes in
            guard let self, let level = bytes.first else { return }
            self.battery = Battery(level: level, device: self)
        }
    }

    private func read(
        _ uuid: AttributeUUID,
        of service: SimulatedService?,
        _ link: Link,
        _ body: @escaping @SimulatorActor ([UInt8]) -> Void
    ) {
        guard let characteristic = service?[uuid] else { return }
        link.request { peripheral, completion in
            peripheral.read(characteristic, completion: completion)
        } completion: { [weak self] result in
            guard case .success(let bytes) = result else { return }
            body(bytes)
            self?.server.flush()
        }
    }

    /// btd_device_set_pnpid(): source (1 Bluetooth SIG, 2 USB), vendor, product, version.
    private func setPnPIdentifier(_ bytes: [UInt8]) {
        guard bytes.count >= 7 else { return }
        let number = { (index: Int) in UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8 }
        let text = { (value: UInt16) in String(hexadecimal: value, digits: 4, uppercase: true) }
        let source: String
        switch bytes[0] {
        case 1: source = "bluetooth"
        case 2: source = "usb"
        default: return
        }
        let new = "\(source):v\(text(number(1)))p\(text(number(3)))d\(text(number(5)))"
        guard new != modalias else { return }
        modalias = new
        changed("Modalias")
    }

    /// A notification or indication arrived.
    func received(_ value: [UInt8], from characteristic: SimulatedCharacteristic) {
        if characteristic.uuid == .batteryLevel, let level = value.first { battery?.update(level) }
        for service in services {
            for remote in service.characteristics where remote.characteristic === characteristic {
                return remote.received(value)
            }
        }
    }

    /// btd_gatt_client_connected(): earlier sessions are armed again.
    func restoreSubscriptions() {
        for service in services { service.characteristics.forEach { $0.restoreSessions() } }
    }
}
