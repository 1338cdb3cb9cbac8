import BlueZDBus
import BlueZValues

/// An `AdvertisementMonitor1` object of a client, as bluetoothd reads it (src/adv_monitor.c).
struct AdvertisementMonitor {
    /// A pattern of a monitor. One of its patterns must match.
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

        func matches(_ field: (type: UInt8, content: [UInt8])) -> Bool {
            field.type == type && field.content.dropFirst(Int(offset)).starts(with: content)
        }
    }

    static let interface = BlueZInterface.monitor.description
    let patterns: [Pattern]
    var isActive = false

    /// Creates a monitor from the interface's properties; nil if bluetoothd would release it.
    init?(_ properties: Value) {
        guard case .dictionary(_, _, let entries) = properties.unwrapped,
            entries[.string("Type")]?.unwrapped == .string("or_patterns"),
            case .array(_, let values)? = entries[.string("Patterns")]?.unwrapped
        else { return nil }
        patterns = values.compactMap(Pattern.init)
        guard !patterns.isEmpty, patterns.count == values.count else { return nil }
    }

    func matches(_ report: AdvertisingReport) -> Bool {
        report.data.fields.contains { field in
            Self.searched.contains(field.type) && patterns.contains { $0.matches(field) }
        }
    }

    /// Flags, 16-bit UUIDs, name, power, data of services with 16-bit UUIDs, appearance, manufacturer data.
    private static let searched: Set<UInt8> = [0x01, 0x03, 0x09, 0x0A, 0x16, 0x19, 0xFF]
}

/// A client's registration, whose monitors are below its path.
@BlueZServerActor final class MonitorApplication {
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
