import BlueZDBus
import BlueZPrintableText
import BlueZValues

extension Device {
    /// The services that bluetoothd's own plug-ins reserve in 5.66: Generic Access and human interface devices.
    private var claimed: Set<BluetoothUUID> {
        let claimed: Set<BluetoothUUID> = [.genericAccess, .humanInterfaceDevice]
        return adapter?.settings.exportsClaimedServices == false
            ? claimed.union([.battery, .deviceInformation]) : claimed
    }

    /// Discovers the services, and then continues as gatt_client_ready_cb() does.
    func discoverServices(_ link: any RadioLink) {
        link.discover { [weak self, weak link] discovery in
            guard let self, let link, self.link === link else { return }
            self.discovered(discovery, link)
        }
    }

    private func discovered(_ discovery: Discovery?, _ link: any RadioLink) {
        setTemporary(false)
        areServicesKnown = true
        areServicesResolved = true
        let isReportedEarly = discovery?.isReportedEarly == true
        if isReportedEarly {
            changed("ServicesResolved")
            server.flush()
        }
        if let discovery { update(from: discovery) }
        if !isReportedEarly { changed("ServicesResolved") }
        advertisedUUIDs.removeAll()
        pairing?.servicesResolved()
        guard let discovery, !link.isRelayed else { return }
        BlueZServerActor.schedule(after: .zero) { [weak self, weak link] in
            if let self, let link, self.link === link { self.readProfiles(discovery, link) }
        }
    }

    func update(from discovery: Discovery) {
        for service in services where !discovery.services.contains(where: service.description.isSame(as:)) {
            services.removeAll { $0 === service }
            let uuid = service.description.uuid
            if !discovery.uuids.contains(uuid) {
                setUUIDs(uuids.filter { $0 != uuid.fullString })
            }
            service.unregister()
            release(service.description.size)
        }
        addUUIDs(discovery.uuids)
        let claimed = claimed
        for description in discovery.services where !claimed.contains(description.uuid) {
            if let known = services.first(where: { $0.description.isSame(as: description) }) {
                known.include(description.includes)
                continue
            }
            guard let service = try? RemoteService(description, of: self), reserve(description.size) else { continue }
            services.append(service)
            service.export()
        }
        services.forEach { $0.includesChanged() }
    }

    func addUUIDs(_ new: [BluetoothUUID]) {
        let missing = Set(new.map(\.fullString)).subtracting(uuids)
        if !missing.isEmpty { setUUIDs((uuids + missing).sorted()) }
    }

    /// Changes `UUIDs`, unless there is no space for more.
    func setUUIDs(_ new: [String]) {
        let growth = 64 * (new.count - uuids.count)
        if growth <= 0 { release(-growth) } else if !reserve(growth) { return }
        uuids = new
        changed("UUIDs")
    }

    /// Reads the values that the GAP, device information and battery plug-ins read.
    private func readProfiles(_ discovery: Discovery, _ link: any RadioLink) {
        read(.deviceName, of: .genericAccess, discovery, link) { [weak self] bytes in
            self?.setName(bytes)
        }
        read(.appearance, of: .genericAccess, discovery, link) { [weak self] bytes in
            guard bytes.count == 2 else { return }
            self?.setAppearance(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
        }
        read(.pnpIdentifier, of: .deviceInformation, discovery, link) { [weak self] bytes in
            self?.setPnPIdentifier(bytes)
        }
        read(.batteryLevel, of: .battery, discovery, link) { [weak self] bytes in
            if let level = bytes.first { self?.setBatteryLevel(level) }
        }
    }

    private func read(
        _ uuid: BluetoothUUID,
        of service: BluetoothUUID,
        _ discovery: Discovery,
        _ link: any RadioLink,
        _ body: @escaping @BlueZServerActor ([UInt8]) -> Void
    ) {
        let service = discovery.services.first { $0.uuid == service }
        guard let characteristic = service?.characteristics.first(where: { $0.uuid == uuid }) else { return }
        _ = link.read(characteristic.handle, offset: 0) { [weak self] result in
            guard case .success(let bytes) = result else { return }
            body(bytes)
            self?.server.flush()
        }
    }

    func setBatteryLevel(_ level: UInt8) {
        if let battery { battery.update(level) } else { battery = Battery(level: level, device: self) }
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
        set("Modalias", \.modalias, "\(source):v\(text(number(1)))p\(text(number(3)))d\(text(number(5)))")
    }

    /// btd_gatt_client_connected(): earlier sessions are registered again.
    func restoreSubscriptions() {
        for service in services { service.characteristics.forEach { $0.restoreSessions() } }
    }
}
