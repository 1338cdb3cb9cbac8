import BlueZDBus
import BlueZValues

/// A filter that was set with `SetDiscoveryFilter`, modelled on parse_discovery_filter_dict() of src/adapter.c.
struct DiscoveryFilter: Hashable {
    static let keys = ["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"]

    private(set) var uuids: Set<String> = []
    private(set) var rssi: Int16?
    private(set) var pathloss: UInt16?
    private(set) var transport = "auto"
    private(set) var allowsDuplicates = false
    private(set) var pattern: String?

    /// Reads the argument of the call. Returns nil for the empty filter.
    ///
    /// - Throws: `DBusError` if a key is unknown, a value has the wrong type or range, or RSSI and Pathloss are
    ///   combined.
    static func read(_ reader: inout MessageReader) throws(DBusError) -> DiscoveryFilter? {
        var filter = DiscoveryFilter()
        var isEmpty = true
        try reader.readProperties { (key, value) throws(DBusError) in
            isEmpty = false
            try filter.set(key, try value.readValue())
        }
        guard filter.rssi == nil || filter.pathloss == nil else { throw BlueZError.invalidArguments }
        return isEmpty ? nil : filter
    }

    private mutating func set(_ key: String, _ value: Value) throws(DBusError) {
        switch (key, value) {
        case ("UUIDs", .array(elements: "s", let values)):
            for case .string(let text) in values {
                guard let uuid = BluetoothUUID(bluez: text) else { throw BlueZError.invalidArguments }
                uuids.insert(uuid.fullString)
            }
        case ("RSSI", .int16(let level)) where (-127...20).contains(level): rssi = level
        case ("Pathloss", .uint16(let loss)) where loss <= 137: pathloss = loss
        case ("Transport", .string(let name)) where ["auto", "bredr", "le"].contains(name): transport = name
        case ("DuplicateData", .boolean(let isOn)): allowsDuplicates = isOn
        case ("Discoverable", .boolean): break
        case ("Pattern", .string(let text)): pattern = text
        default: throw BlueZError.invalidArguments
        }
    }

    /// Returns whether a report has a service and a distance that the client wants.
    func matches(_ report: AdvertisingReport) -> Bool {
        guard transport != (report.isClassic ? "le" : "bredr") else { return false }
        if !uuids.isEmpty, !report.data.serviceUUIDs.contains(where: { uuids.contains($0.fullString) }) { return false }
        if let rssi, report.rssi < rssi { return false }
        if let pathloss {
            guard let power = report.data.txPowerLevel, power - Int(report.rssi) <= Int(pathloss) else { return false }
        }
        return true
    }

    /// Returns whether the address or the name begins with the pattern. True if there is none.
    func matchesPattern(address: String, name: String?) -> Bool {
        guard let pattern else { return true }
        return pattern.isEmpty || address.hasPrefix(pattern) || name?.hasPrefix(pattern) == true
    }
}

/// A client that discovers, or has set a filter for a later discovery.
struct DiscoveryClient {
    let owner: String
    var filter: DiscoveryFilter?
    var isDiscovering = false
}
