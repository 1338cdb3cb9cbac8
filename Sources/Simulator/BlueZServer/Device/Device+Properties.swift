import BlueZDBus
import BlueZValues
import FoundationEssentials

extension Device {
    /// Exports the object.
    func export() {
        register(
            methods: [
                method("Disconnect") { $0.requestDisconnect($1, removes: false) },
                method("Connect") { $0.connect($1) },
                method("ConnectProfile", input: "s") { $0.connectProfile($1) },
                method("DisconnectProfile", input: "s") { $0.disconnectProfile($1) },
                method("Pair") { $0.pair($1) },
                method("CancelPairing") { $0.cancelPairing($1) },
            ],
            properties: identityProperties + stateProperties + advertisedProperties
        )
    }

    private var identityProperties: [ExportedInterface.Property] {
        [
            property("Address", "s") { .string($0.address) },
            property("AddressType", "s") { .string($0.identity.addressType.rawValue) },
            property("Name", "s") { $0.name.isEmpty ? nil : .string($0.name) },
            property("Alias", "s", { .string($0.shownAlias) }, set: { $0.setAlias($1, $2) }),
            property("Class", "u") { $0.identity.deviceClass.map(Value.uint32) },
            property("Appearance", "q") { $0.appearance == 0 ? nil : .uint16($0.appearance) },
            property("Icon", "s") { $0.appearance == 0 ? nil : Self.icon($0.appearance).map(Value.string) },
        ]
    }

    private var stateProperties: [ExportedInterface.Property] {
        [
            property("Paired", "b") { .boolean($0.isPaired) },
            property("Bonded", "b") { .boolean($0.isBonded) },
            property("Trusted", "b", { .boolean($0.isTrusted) }) { device, value, call in
                device.set("Trusted", \.isTrusted, value == .boolean(true))
                call.reply()
            },
            property("Blocked", "b", { .boolean($0.isBlocked) }, set: { $0.setBlocked($1, $2) }),
            property("LegacyPairing", "b") { _ in .boolean(false) },
            property("RSSI", "n") { $0.rssi == 0 ? nil : .int16($0.rssi) },
            property("Connected", "b") { .boolean($0.isConnected) },
            property("UUIDs", "as") { .strings($0.shownUUIDs) },
            property("Modalias", "s") { $0.modalias.map(Value.string) },
            property("Adapter", "o") { .objectPath($0.adapterPath) },
        ]
    }

    private var advertisedProperties: [ExportedInterface.Property] {
        var properties = [
            property("ManufacturerData", "a{qv}") { Self.dictionary($0.manufacturerData, key: "q", Value.uint16) },
            property("ServiceData", "a{sv}") { Self.dictionary($0.serviceData, key: "s") { .string($0.fullString) } },
            property("TxPower", "n") { $0.txPower.map { .int16(Int16($0)) } },
            property("ServicesResolved", "b") { .boolean($0.areServicesResolved) },
        ]
        if adapter?.isExperimental == true {
            properties += [
                property("AdvertisingFlags", "ay") { $0.flags.map { .bytes([$0]) } },
                property("AdvertisingData", "a{yv}") { Self.dictionary($0.structures, key: "y", Value.byte) },
            ]
        }
        return properties
    }

    /// Returns a dictionary, or nil if there are no data.
    private static func dictionary<Key>(
        _ data: [Key: Data], key signature: String, _ key: (Key) -> Value
    ) -> Value? {
        guard !data.isEmpty else { return nil }
        let entries = data.map { (key($0.key), Value.variant(.bytes([UInt8]($0.value)))) }
        return .dictionary(key: signature, value: "v", Dictionary(uniqueKeysWithValues: entries))
    }

    /// The alias, otherwise the name, otherwise the address with dashes.
    private var shownAlias: String {
        alias ?? (name.isEmpty ? address.split(separator: ":").joined(separator: "-") : name)
    }

    private var shownUUIDs: [String] {
        areServicesKnown || advertisedUUIDs.isEmpty ? uuids : advertisedUUIDs
    }

    private func setAlias(_ value: Value, _ call: IncomingCall) {
        guard case .string(let text) = value else { return call.fail(BlueZError.invalidArguments) }
        set("Alias", \.alias, text.isEmpty ? nil : text)
        call.reply()
    }

    private func setBlocked(_ value: Value, _ call: IncomingCall) {
        if isBlocked != (value == .boolean(true)) {
            isBlocked.toggle()
            if isBlocked {
                ending = nil
                if isConnected { BlueZServerActor.schedule(after: .zero) { [weak self] in self?.linkLost(.local) } }
                setTemporary(false)
            }
            changed("Blocked")
        }
        call.reply()
    }

    /// btd_device_device_set_name(). An empty name replaces another one, too.
    func setName(_ bytes: [UInt8]) {
        let text = version.text(ofName: bytes)
        guard text != name else { return }
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
