import BlueZDBus
import BlueZValues

/// The properties of a client's object, in the order in which src/advertising.c parses them. A parser gets a reader on
/// the value, or nil if the object no longer has the property.
extension LocalAdvertisement {
    typealias Parser = @BlueZServerActor (LocalAdvertisement, MessageReader?) -> Bool

    private struct Property {
        let name: String
        /// The minor number of the first version that knows the property.
        var version = 0
        /// Whether changes are only followed with `--experimental`.
        var isExperimental = false
        let parser: Parser

        init(_ name: String, from version: Int = 0, isExperimental: Bool = false, parser: @escaping Parser) {
            self.name = name
            self.version = version
            self.isExperimental = isExperimental
            self.parser = parser
        }
    }

    private static let properties: [Property] = [
        Property("Type") { $0.parseType($1) },
        Property("ServiceUUIDs") { $0.parse(services: \.data.services, $1) },
        Property("ScanResponseServiceUUIDs", from: 80, isExperimental: true) {
            $0.parse(services: \.scanResponse.services, $1)
        },
        Property("SolicitUUIDs") { $0.parse(services: \.data.solicited, $1) },
        Property("ScanResponseSolicitUUIDs", from: 80, isExperimental: true) {
            $0.parse(services: \.scanResponse.solicited, $1)
        },
        Property("ManufacturerData") { $0.parseManufacturerData(\.data, $1) },
        Property("ScanResponseManufacturerData", from: 80, isExperimental: true) {
            $0.parseManufacturerData(\.scanResponse, $1)
        },
        Property("ServiceData") { $0.parseServiceData(\.data, $1) },
        Property("ScanResponseServiceData", from: 80, isExperimental: true) {
            $0.parseServiceData(\.scanResponse, $1)
        },
        Property("Includes") { $0.parseIncludes($1) },
        Property("LocalName") { $0.parseLocalName($1) },
        Property("Appearance") { $0.parseAppearance($1) },
        // Duration, the time until the kernel changes to another advertisement, has no effect here.
        Property("Duration") { _, value in value.map { $0.signature == "q" } ?? true },
        Property("Timeout") { $0.parseTimeout($1) },
        Property("Data") { $0.parseStructures(\.data, $1) },
        Property("ScanResponseData", from: 80) { $0.parseStructures(\.scanResponse, $1) },
        Property("Discoverable") { $0.parseDiscoverable($1) },
        Property("DiscoverableTimeout") { $0.parseDiscoverableTimeout($1) },
        Property("SecondaryChannel") { $0.parseSecondaryChannel($1) },
        Property("MinInterval", from: 57) { $0.parseInterval(\.minimumInterval, $1) },
        Property("MaxInterval", from: 57) { $0.parseInterval(\.maximumInterval, $1) },
        Property("TxPower", from: 57) { $0.parseTxPower($1) },
    ]

    /// Reads all properties, with the checks of parse_advertisement(). Returns false if the advertisement is invalid.
    /// A missing type means a broadcast.
    func parse(_ values: [String: MessageReader]) -> Bool {
        for property in Self.properties where property.version <= manager.version {
            guard let value = values[property.name] else { continue }
            guard property.parser(self, value) else { return false }
        }
        let isDiscoverable = manager.version < 69 ? data.flags != nil : (data.flags ?? 0) & 0x03 != 0
        if isDiscoverable {
            guard isPeripheral, discoverableTimer == nil || setFlags(0x01) else { return false }
        } else if discoverableTimer != nil {
            discoverableTimer = nil
            discoverableTimeout = 0
        }
        return (timeout == 0 || timeout >= discoverableTimeout) && minimumInterval <= maximumInterval
    }

    /// properties_changed(): returns whether the advertisement must be sent again.
    func parse(_ name: String, _ value: MessageReader?) -> Bool {
        guard let property = Self.properties.first(where: { $0.name == name && $0.version <= manager.version }),
            !property.isExperimental || manager.adapter.isExperimental
        else { return false }
        return property.parser(self, value)
    }

    private func parseType(_ value: MessageReader?) -> Bool {
        guard var value else { return true }
        switch try? value.readString() {
        case "broadcast": isPeripheral = false
        case "peripheral": isPeripheral = true
        default: return false
        }
        return true
    }

    private func parse(
        services: ReferenceWritableKeyPath<LocalAdvertisement, [AdvertisingContent.Service]>, _ value: MessageReader?
    ) -> Bool {
        guard var value else {
            self[keyPath: services] = []
            return true
        }
        guard value.signature.hasPrefix("a") else { return false }
        let texts = (try? value.readStrings()) ?? []
        let parsed = texts.compactMap { AdvertisingContent.Service($0) }
        self[keyPath: services] = parsed.count == texts.count ? parsed : []
        return parsed.count == texts.count
    }

    private func parseManufacturerData(
        _ content: ReferenceWritableKeyPath<LocalAdvertisement, AdvertisingContent>, _ value: MessageReader?
    ) -> Bool {
        parse(value, clear: { self[keyPath: content].clearManufacturerData() }) { key, bytes in
            guard let company = try? key.readUInt16() else { return false }
            return self[keyPath: content].addManufacturerData(company, bytes)
        }
    }

    private func parseServiceData(
        _ content: ReferenceWritableKeyPath<LocalAdvertisement, AdvertisingContent>, _ value: MessageReader?
    ) -> Bool {
        parse(value, clear: { self[keyPath: content].clearServiceData() }) { key, bytes in
            guard let text = try? key.readString(), let service = AdvertisingContent.Service(text) else {
                return false
            }
            return self[keyPath: content].addServiceData(service, bytes)
        }
    }

    private func parseStructures(
        _ content: ReferenceWritableKeyPath<LocalAdvertisement, AdvertisingContent>, _ value: MessageReader?
    ) -> Bool {
        parse(value, clear: { self[keyPath: content].clearStructures() }) { key, bytes in
            guard let type = try? key.readByte() else { return false }
            return self[keyPath: content].addStructure(type, bytes)
        }
    }

    /// Reads a dictionary with byte arrays in variants, in the client's order. As in bluetoothd, an empty array is
    /// invalid, and an array that is no dictionary has no effect.
    private func parse(
        _ value: MessageReader?, clear: () -> Void, add: (inout MessageReader, [UInt8]) -> Bool
    ) -> Bool {
        guard var value else {
            clear()
            return true
        }
        guard value.signature.hasPrefix("a") else { return false }
        clear()
        guard value.signature.hasPrefix("a{") else { return true }
        var isValid = true
        try? value.readDictionary { (entry) throws(DBusError) in
            guard isValid else { return }
            var key = entry
            entry.skip()
            let bytes = try? entry.readVariant { (inner) throws(DBusError) in try inner.readBytes() }
            isValid = bytes.map { !$0.isEmpty && add(&key, $0) } ?? false
        }
        if !isValid { clear() }
        return isValid
    }

    private func parseIncludes(_ value: MessageReader?) -> Bool {
        includes = []
        guard var value else { return true }
        guard value.signature.hasPrefix("a") else { return false }
        for name in (try? value.readStrings()) ?? [] {
            guard let include = AdvertisingManager.includes.first(where: { $0.name == name }) else { continue }
            includes.formUnion(include.flag.intersection(manager.kernel.capabilities.flags))
        }
        return true
    }

    private func parseLocalName(_ value: MessageReader?) -> Bool {
        guard var value else {
            name = nil
            return true
        }
        guard let text = try? value.readString(), !includes.contains(.localName) else { return false }
        name = text.isEmpty && manager.version >= 57 ? nil : Array(text.utf8)
        return true
    }

    private func parseAppearance(_ value: MessageReader?) -> Bool {
        guard var value else {
            appearance = 0
            return true
        }
        guard let number = try? value.readUInt16(), !includes.contains(.appearance) else { return false }
        appearance = number == .max ? nil : number
        return true
    }
}
