import DBus

extension SimulatedAdapter {
    var exportedInterface: BusInterface {
        BusInterface(
            Self.interface,
            methods: [
                .init("StartDiscovery") { [weak self] call in self?.startDiscovery(call) },
                .init("SetDiscoveryFilter", input: "a{sv}") { [weak self] call in self?.setDiscoveryFilter(call) },
                .init("StopDiscovery") { [weak self] call in self?.stopDiscovery(call) },
                .init("RemoveDevice", input: "o") { [weak self] call in self?.removeDevice(call) },
                .init("GetDiscoveryFilters", output: "as") { [weak self] call in
                    self?.server.reply(to: call) { (writer) throws(DBusError) in
                        try writer.append(Value.strings(DiscoveryFilter.keys))
                    }
                },
            ],
            properties: identityProperties + powerProperties + modeProperties + capabilityProperties
        )
    }

    private var identityProperties: [BusProperty] {
        [
            BusProperty("Address", "s") { [weak self] in self.map { .string($0.specification.address) } },
            BusProperty("AddressType", "s") { .string("public") },
            BusProperty("Name", "s") { [weak self] in self.map { .string($0.specification.name) } },
            BusProperty(
                "Alias", "s",
                get: { [weak self] in self.map { .string($0.alias ?? $0.specification.name) } },
                set: { [weak self] value, call in self?.setAlias(value, call) }
            ),
            BusProperty("Class", "u") { .uint32(0) },
        ]
    }

    private var powerProperties: [BusProperty] {
        var properties = [
            BusProperty(
                "Powered", "b",
                get: { [weak self] in self.map { .boolean($0.isPowered) } },
                set: { [weak self] value, call in self?.setPowered(value == .boolean(true), call) }
            )
        ]
        if isExperimental {
            properties.append(BusProperty("PowerState", "s") { [weak self] in self.map { .string($0.powerState) } })
        }
        return properties
    }

    private var modeProperties: [BusProperty] {
        [
            BusProperty(
                "Discoverable", "b",
                get: { [weak self] in self.map { .boolean($0.isDiscoverable) } },
                set: { [weak self] value, call in
                    self?.set("Discoverable", \.isDiscoverable, value == .boolean(true), call)
                }
            ),
            BusProperty(
                "DiscoverableTimeout", "u",
                get: { [weak self] in self.map { .uint32($0.discoverableTimeout) } },
                set: { [weak self] value, call in
                    if case .uint32(let time) = value {
                        self?.set("DiscoverableTimeout", \.discoverableTimeout, time, call)
                    }
                }
            ),
            BusProperty(
                "Pairable", "b",
                get: { [weak self] in self.map { .boolean($0.isPairable) } },
                set: { [weak self] value, call in self?.set("Pairable", \.isPairable, value == .boolean(true), call) }
            ),
            BusProperty(
                "PairableTimeout", "u",
                get: { [weak self] in self.map { .uint32($0.pairableTimeout) } },
                set: { [weak self] value, call in
                    if case .uint32(let time) = value { self?.set("PairableTimeout", \.pairableTimeout, time, call) }
                }
            ),
            BusProperty("Discovering", "b") { [weak self] in self.map { .boolean($0.isDiscovering) } },
        ]
    }

    private var capabilityProperties: [BusProperty] {
        let uuids: [AttributeUUID] = [0x110E, 0x1200, 0x110C, 0x1801, 0x1800, 0x180A]
        return [
            BusProperty("UUIDs", "as") { .strings(uuids.map(\.string)) },
            BusProperty("Modalias", "s") { .string("usb:v1D6Bp0246d0542") },
            BusProperty("Roles", "as") { .strings(["central", "peripheral"]) },
        ]
    }

    private func setAlias(_ value: Value, _ call: IncomingCall) {
        guard case .string(let text) = value else { return server.refuse(call, BlueZError.invalidArguments) }
        let new = text.isEmpty ? nil : text
        server.reply(to: call)
        guard new != alias else { return }
        alias = new
        changed("Alias")
    }

    private func set<T: Equatable>(
        _ name: String,
        _ property: ReferenceWritableKeyPath<SimulatedAdapter, T>,
        _ value: T,
        _ call: IncomingCall
    ) {
        server.reply(to: call)
        guard self[keyPath: property] != value else { return }
        self[keyPath: property] = value
        changed(name)
    }

    /// remove_device()
    private func removeDevice(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath() else { return server.refuse(call, BlueZError.invalidArguments) }
        guard let device = device(path) else { return server.refuse(call, BlueZError.doesNotExist) }
        guard isPowered else { return server.refuse(call, BlueZError.notReady) }
        device.setTemporary(true)
        if device.isConnected { return device.requestDisconnect(call, removes: true) }
        remove(device)
        server.reply(to: call)
    }
}
