import DBus

/// An `AdvertisementMonitor1` object of a client, as bluetoothd reads it (src/adv_monitor.c).
struct AdvertisementMonitor {
    /// One of the patterns, of which one must match.
    struct Pattern: Hashable {
        let offset: UInt8
        let type: UInt8
        let content: [UInt8]

        /// parse_pattern(): nil if bluetoothd would refuse it.
        init?(_ value: Value) {
            guard case .structure(let fields) = value.unwrapped, fields.count == 3,
                case .byte(let offset) = fields[0], case .byte(let type) = fields[1],
                case .bytes(let content) = fields[2],
                (1...31).contains(content.count), Int(offset) + content.count <= 31
            else { return nil }
            self.offset = offset
            self.type = type
            self.content = content
        }

        func matches(_ data: AdvertisingData) -> Bool {
            data.fields.contains { field in
                field.type == type && field.data.dropFirst(Int(offset)).starts(with: content)
            }
        }
    }

    static let interface = "org.bluez.AdvertisementMonitor1"
    let patterns: [Pattern]
    var isActive = false

    /// Reads the interface's properties; nil if bluetoothd would release the monitor.
    init?(_ properties: Value) {
        guard case .dictionary(_, _, let entries) = properties.unwrapped,
            entries[.string("Type")]?.unwrapped == .string("or_patterns"),
            case .array(_, let values)? = entries[.string("Patterns")]?.unwrapped
        else { return nil }
        patterns = values.compactMap(Pattern.init)
        guard !patterns.isEmpty, patterns.count == values.count else { return nil }
    }

    func matches(_ data: AdvertisingData) -> Bool { patterns.contains { $0.matches(data) } }
}

/// What a client registered: monitors below a path of its own.
@SimulatorActor final class MonitorApplication {
    let owner: String
    let root: ObjectPath
    let rules: [MatchRule]
    var monitors: [ObjectPath: AdvertisementMonitor] = [:]

    init(owner: String, root: ObjectPath) {
        self.owner = owner
        self.root = root
        rules = ["InterfacesAdded", "InterfacesRemoved"].map {
            MatchRule(sender: owner, interface: StandardInterface.objectManager, member: $0, path: root)
        }
    }
}

extension AdvertisingData {
    /// The fields as they are sent (Core Specification Supplement, part A), for monitors to search.
    var fields: [(type: UInt8, data: [UInt8])] {
        var fields: [(type: UInt8, data: [UInt8])] = []
        if let flags { fields.append((0x01, [flags])) }
        let short = serviceUUIDs.compactMap(\.short)
        if !short.isEmpty { fields.append((0x03, short.flatMap(Self.bytes))) }
        if let localName { fields.append((0x09, Array(localName.utf8))) }
        if let txPower { fields.append((0x0A, [UInt8(bitPattern: txPower)])) }
        for (service, data) in serviceData {
            if let short = service.short { fields.append((0x16, Self.bytes(short) + data)) }
        }
        if appearance != 0 { fields.append((0x19, Self.bytes(appearance))) }
        for (company, data) in manufacturerData { fields.append((0xFF, Self.bytes(company) + data)) }
        return fields
    }

    private static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}
