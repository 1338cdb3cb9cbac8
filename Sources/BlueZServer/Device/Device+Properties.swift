import BluetoothValues
import DBus

extension Device {
    var exportedInterface: ExportedInterface {
        ExportedInterface(
            Self.interface,
            methods: [
                .init("Disconnect") { [weak self] call in self?.disconnect(call) },
                .init("Connect") { [weak self] call in self?.connect(call) },
                .init("ConnectProfile", input: "s") { [weak self] call in self?.connectProfile(call) },
                .init("DisconnectProfile", input: "s") { [weak self] call in self?.disconnectProfile(call) },
                .init("Pair") { [weak self] call in self?.pair(call) },
                .init("CancelPairing") { [weak self] call in self?.cancelPairing(call) },
            ],
            properties: identityProperties + stateProperties + advertisedProperties
        )
    }

    private var identityProperties: [ExportedInterface.Property] {
        [
            .init("Address", "s") { [weak self] in self.map { .string($0.address) } },
            .init("AddressType", "s") { [weak self] in self.map { .string($0.identity.addressType.rawValue) } },
            .init("Name", "s") { [weak self] in self.flatMap { $0.name.isEmpty ? nil : .string($0.name) } },
            .init(
                "Alias", "s",
                get: { [weak self] in self.map { .string($0.shownAlias) } },
                set: { [weak self] value, call in self?.setAlias(value, call) }
            ),
            .init("Class", "u") { [weak self] in self?.identity.deviceClass.map(Value.uint32) },
            .init("Appearance", "q") { [weak self] in
                self.flatMap { $0.appearance == 0 ? nil : .uint16($0.appearance) }
            },
            .init("Icon", "s") { [weak self] in
                self.flatMap { $0.appearance == 0 ? nil : Self.icon($0.appearance).map(Value.string) }
            },
        ]
    }

    private var stateProperties: [ExportedInterface.Property] {
        [
            .init("Paired", "b") { [weak self] in self.map { .boolean($0.isPaired) } },
            .init("Bonded", "b") { [weak self] in self.map { .boolean($0.isBonded) } },
            .init(
                "Trusted", "b",
                get: { [weak self] in self.map { .boolean($0.isTrusted) } },
                set: { [weak self] value, call in self?.setTrusted(value, call) }
            ),
            .init(
                "Blocked", "b",
                get: { [weak self] in self.map { .boolean($0.isBlocked) } },
                set: { [weak self] value, call in self?.setBlocked(value, call) }
            ),
            .init("LegacyPairing", "b") { .boolean(false) },
            .init("RSSI", "n") { [weak self] in self.flatMap { $0.rssi == 0 ? nil : .int16($0.rssi) } },
            .init("Connected", "b") { [weak self] in self.map { .boolean($0.isConnected) } },
            .init("UUIDs", "as") { [weak self] in self.map { .strings($0.shownUUIDs) } },
            .init("Modalias", "s") { [weak self] in self?.modalias.map(Value.string) },
            .init("Adapter", "o") { [weak self] in self.map { .objectPath($0.adapterPath) } },
        ]
    }

    private var advertisedProperties: [ExportedInterface.Property] {
        var properties: [ExportedInterface.Property] = [
            .init("ManufacturerData", "a{qv}") { [weak self] in
                guard let data = self?.manufacturerData, !data.isEmpty else { return nil }
                let entries = data.map { (Value.uint16($0.key), Value.variant(.bytes($0.value))) }
                return .dictionary(key: "q", value: "v", Dictionary(uniqueKeysWithValues: entries))
            },
            .init("ServiceData", "a{sv}") { [weak self] in
                guard let data = self?.serviceData, !data.isEmpty else { return nil }
                let entries = data.map { ($0.key.fullString, Value.bytes($0.value)) }
                return .properties(Dictionary(uniqueKeysWithValues: entries))
            },
            .init("TxPower", "n") { [weak self] in self?.txPower.map { .int16(Int16($0)) } },
            .init("ServicesResolved", "b") { [weak self] in self.map { .boolean($0.areServicesResolved) } },
        ]
        if adapter?.isExperimental == true {
            properties.append(
                .init("AdvertisingFlags", "ay") { [weak self] in self?.flags.map { .bytes([$0]) } })
            properties.append(
                .init("AdvertisingData", "a{yv}") { [weak self] in
                    guard let data = self?.structures, !data.isEmpty else { return nil }
                    let entries = data.map { (Value.byte($0.key), Value.variant(.bytes($0.value))) }
                    return .dictionary(key: "y", value: "v", Dictionary(uniqueKeysWithValues: entries))
                })
        }
        return properties
    }

    /// Falls back to the name and to the address with dashes.
    private var shownAlias: String {
        alias ?? (name.isEmpty ? address.split(separator: ":").joined(separator: "-") : name)
    }

    private var shownUUIDs: [String] {
        areServicesKnown || advertisedUUIDs.isEmpty ? uuids : advertisedUUIDs
    }

    private func setAlias(_ value: Value, _ call: IncomingCall) {
        guard case .string(let text) = value else { return call.fail(BlueZError.invalidArguments) }
        let new = text.isEmpty ? nil : text
        if new != alias {
            alias = new
            changed("Alias")
        }
        call.reply()
    }

    private func setTrusted(_ value: Value, _ call: IncomingCall) {
        if isTrusted != (value == .boolean(true)) {
            isTrusted.toggle()
            changed("Trusted")
        }
        call.reply()
    }

    private func setBlocked(_ value: Value, _ call: IncomingCall) {
        if isBlocked != (value == .boolean(true)) {
            isBlocked.toggle()
            if isBlocked {
                ending?.cancel()
                ending = nil
                if isConnected { BlueZServerActor.schedule(after: .zero) { [weak self] in self?.linkLost() } }
                setTemporary(false)
            }
            changed("Blocked")
        }
        call.reply()
    }

    /// btd_device_device_set_name(); a name ends at its first NUL.
    func setName(_ bytes: [UInt8]) {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        guard !text.isEmpty, text != name else { return }
        name = text
        changed("Name")
        if alias == nil { changed("Alias") }
    }

    func setAppearance(_ value: UInt16) {
        guard value != appearance else { return }
        appearance = value
        changed("Appearance", "Icon")
    }

    /// gap_appearance_to_icon() of src/dbus-common.c.
    private static func icon(_ appearance: UInt16) -> String? {
        switch (appearance >> 6, appearance & 0x3F) {
        case (0x00, _): "unknown"
        case (0x01, _): "phone"
        case (0x02, _): "computer"
        case (0x05, _): "video-display"
        case (0x0A, _): "multimedia-player"
        case (0x0B, _), (0x0F, 0x08): "scanner"
        case (0x0F, 0x01): "input-keyboard"
        case (0x0F, 0x02): "input-mouse"
        case (0x0F, 0x03), (0x0F, 0x04): "input-gaming"
        case (0x0F, 0x05): "input-tablet"
        default: nil
        }
    }
}
