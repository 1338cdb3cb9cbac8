import BluetoothValues
import DBus

extension Adapter {
    var exportedInterface: ExportedInterface {
        ExportedInterface(
            Self.interface,
            methods: [
                .init("StartDiscovery") { [weak self] call in self?.startDiscovery(call) },
                .init("SetDiscoveryFilter", input: "a{sv}") { [weak self] call in self?.setDiscoveryFilter(call) },
                .init("StopDiscovery") { [weak self] call in self?.stopDiscovery(call) },
                .init("RemoveDevice", input: "o") { [weak self] call in self?.removeDevice(call) },
                .init("GetDiscoveryFilters", output: "as") { call in
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
            .init("Address", "s") { [weak self] in self.map { .string($0.description.address) } },
            .init("AddressType", "s") { .string("public") },
            .init("Name", "s") { [weak self] in self.map { .string($0.description.name) } },
            .init(
                "Alias", "s",
                get: { [weak self] in self.map { .string($0.alias ?? $0.description.name) } },
                set: { [weak self] value, call in self?.setAlias(value, call) }
            ),
            .init("Class", "u") { .uint32(0) },
        ]
    }

    private var powerProperties: [ExportedInterface.Property] {
        var properties: [ExportedInterface.Property] = [
            .init(
                "Powered", "b",
                get: { [weak self] in self.map { .boolean($0.isPowered) } },
                set: { [weak self] value, call in self?.setPowered(value == .boolean(true), call) }
            )
        ]
        if isExperimental {
            properties.append(.init("PowerState", "s") { [weak self] in self.map { .string($0.powerState) } })
        }
        return properties
    }

    private var modeProperties: [ExportedInterface.Property] {
        [
            .init(
                "Discoverable", "b",
                get: { [weak self] in self.map { .boolean($0.isDiscoverable) } },
                set: { [weak self] value, call in
                    self?.set("Discoverable", \.isDiscoverable, value == .boolean(true), call)
                }
            ),
            .init(
                "DiscoverableTimeout", "u",
                get: { [weak self] in self.map { .uint32($0.discoverableTimeout) } },
                set: { [weak self] value, call in
                    if case .uint32(let time) = value {
                        self?.set("DiscoverableTimeout", \.discoverableTimeout, time, call)
                    }
                }
            ),
            .init(
                "Pairable", "b",
                get: { [weak self] in self.map { .boolean($0.isPairable) } },
                set: { [weak self] value, call in self?.set("Pairable", \.isPairable, value == .boolean(true), call) }
            ),
            .init(
                "PairableTimeout", "u",
                get: { [weak self] in self.map { .uint32($0.pairableTimeout) } },
                set: { [weak self] value, call in
                    if case .uint32(let time) = value { self?.set("PairableTimeout", \.pairableTimeout, time, call) }
                }
            ),
            .init("Discovering", "b") { [weak self] in self.map { .boolean($0.isDiscovering) } },
        ]
    }

    private var capabilityProperties: [ExportedInterface.Property] {
        let uuids: [BluetoothUUID] = [0x110E, 0x1200, 0x110C, 0x1801, 0x1800, 0x180A]
        return [
            .init("UUIDs", "as") { .strings(uuids.map(\.fullString)) },
            .init("Modalias", "s") { .string("usb:v1D6Bp0246d0542") },
            .init("Roles", "as") { .strings(["central", "peripheral"]) },
        ]
    }

    private func setAlias(_ value: Value, _ call: IncomingCall) {
        guard case .string(let text) = value else { return call.fail(BlueZError.invalidArguments) }
        let new = text.isEmpty ? nil : text
        call.reply()
        guard new != alias else { return }
        alias = new
        changed("Alias")
    }

    private func set<T: Equatable>(
        _ name: String,
        _ property: ReferenceWritableKeyPath<Adapter, T>,
        _ value: T,
        _ call: IncomingCall
    ) {
        call.reply()
        guard self[keyPath: property] != value else { return }
        self[keyPath: property] = value
        changed(name)
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
