import BlueZDBus
import BlueZValues

extension Adapter {
    func registerInterface() {
        register(
            methods: [
                method("StartDiscovery") { $0.startDiscovery($1) },
                method("SetDiscoveryFilter", input: "a{sv}") { $0.setDiscoveryFilter($1) },
                method("StopDiscovery") { $0.stopDiscovery($1) },
                method("RemoveDevice", input: "o") { $0.removeDevice($1) },
                method("GetDiscoveryFilters", output: "as") { _, call in
                    call.reply { (writer) throws(DBusError) in
                        try writer.append(Value.strings(DiscoveryFilter.keys))
                    }
                },
            ],
            properties: identityProperties + powerProperties + modeProperties + capabilityProperties
        )
    }

    private var identityProperties: [ExportedInterface.Property] {
        [
            property("Address", "s") { .string($0.description.address) },
            property("AddressType", "s") { _ in .string("public") },
            property("Name", "s") { .string($0.description.name) },
            property("Alias", "s", { .string($0.shownAlias) }, set: { $0.setAlias($1, $2) }),
            property("Class", "u") { _ in .uint32(0) },
        ]
    }

    private var powerProperties: [ExportedInterface.Property] {
        let power = property(
            "Powered", "b", { .boolean($0.isPowered) }, set: { $0.setPowered($1 == .boolean(true), $2) })
        return isExperimental ? [power, property("PowerState", "s") { .string($0.powerState) }] : [power]
    }

    private var modeProperties: [ExportedInterface.Property] {
        [
            flag("Discoverable", \.isDiscoverable) { $0.advertising.refreshAll() },
            time("DiscoverableTimeout", \.discoverableTimeout),
            flag("Pairable", \.isPairable),
            time("PairableTimeout", \.pairableTimeout),
            property("Discovering", "b") { .boolean($0.isDiscovering) },
        ]
    }

    private func flag(
        _ name: String, _ value: ReferenceWritableKeyPath<Adapter, Bool>,
        changed: @escaping @BlueZServerActor (Adapter) -> Void = { _ in }
    ) -> ExportedInterface.Property {
        property(name, "b", { .boolean($0[keyPath: value]) }) { adapter, new, call in
            call.reply()
            let isOther = adapter[keyPath: value] != (new == .boolean(true))
            adapter.set(name, value, new == .boolean(true))
            adapter.radio.acceptanceChanged()
            if isOther { changed(adapter) }
        }
    }

    private func time(
        _ name: String, _ value: ReferenceWritableKeyPath<Adapter, UInt32>
    ) -> ExportedInterface.Property {
        property(name, "u", { .uint32($0[keyPath: value]) }) { adapter, new, call in
            guard case .uint32(let seconds) = new else { return }
            call.reply()
            adapter.set(name, value, seconds)
        }
    }

    private var capabilityProperties: [ExportedInterface.Property] {
        let uuids: [BluetoothUUID] = [0x110E, 0x1200, 0x110C, 0x1801, 0x1800, 0x180A]
        let controller = [
            property("Manufacturer", "q") { _ in .uint16(2) }, property("Version", "y") { _ in .byte(0x0C) },
        ]
        return (settings.version >= .v5_71 ? controller : []) + [
            property("UUIDs", "as") { adapter in
                .strings((uuids + adapter.gatt.database.uuids.filter { !uuids.contains($0) }).map(\.fullString))
            },
            property("Modalias", "s") { _ in .string("usb:v1D6Bp0246d0542") },
            property("Roles", "as") { _ in .strings(["central", "peripheral"]) },
        ]
    }

    /// The alias, otherwise the name.
    var shownAlias: String { alias ?? description.name }

    private func setAlias(_ value: Value, _ call: IncomingCall) {
        guard case .string(let text) = value else { return call.fail(BlueZError.invalidArguments) }
        call.reply()
        set("Alias", \.alias, text.isEmpty ? nil : text)
        advertising.kernel.update()
    }

    /// remove_device()
    private func removeDevice(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath() else { return call.fail(BlueZError.invalidArguments) }
        guard let device = device(path) else { return call.fail(BlueZError.doesNotExist) }
        guard isPowered else { return call.fail(BlueZError.notReady) }
        device.setTemporary(true)
        guard device.isPaired else { return end(device, call) }
        radio.forget(device.identity) { [weak self] in self?.end(device, call) }
    }

    private func end(_ device: Device, _ call: IncomingCall) {
        if device.isConnected { return device.requestDisconnect(call, removes: true) }
        remove(device)
        call.reply()
    }
}
