import BlueZDBus
import FoundationEssentials

/// The mirrored properties of an `org.bluez.Device1`. It is one object for as long as bluetoothd knows the device,
/// because it is large and read often.
package final class DeviceProperties {
    /// The relevant kinds of changes.
    package struct Changes: OptionSet {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// A property that only advertisements contain.
        package static let advertisement = Changes(rawValue: 1 << 0)
        package static let connected = Changes(rawValue: 1 << 1)
        package static let servicesResolved = Changes(rawValue: 1 << 2)
        package static let name = Changes(rawValue: 1 << 3)
        static let rssi = Changes(rawValue: 1 << 4)
        package static let services = Changes(rawValue: 1 << 5)

        // These are properties because sets with several elements are generic code in another module.

        /// Whether they concern the link, or whether the services are resolved.
        package var concernLink: Bool { !isDisjoint(with: [.connected, .servicesResolved]) }

        /// Whether they concern the device's name or services, which both advertisements and links report.
        package var concernDescription: Bool { !isDisjoint(with: [.name, .services]) }
    }

    /// The adapter's path, which is that of the device without its last component (doc/org.bluez.Device.rst).
    let adapter: ObjectPath?
    package var address: BluetoothAddress?
    package var addressKind: BluetoothAddress.Kind?
    package var name: String?
    package var alias: String?
    /// The signal strength in dBm; nil if the last advertisement had none.
    package var rssi: Int?
    /// Whether the device has advertised during the present scan. Its property RSSI says so: bluetoothd removes it at the
    /// end of a scan.
    package private(set) var isHeard = false
    /// The last signal strength, which is kept when bluetoothd removes `rssi` at the end of a scan.
    package var lastRSSI: Int?
    package var isConnected = false
    /// Whether a call of this process has made the link.
    var isLinkOwn = false
    package var isPaired = false
    /// The transport that `Connect` uses for a device with both: with `bluetoothd --experimental` from 5.80 on.
    package var preferredBearer: String?
    /// Whether the device has an interface for its LE link: with `bluetoothd --experimental` from 5.84 on.
    package var hasLEBearer = false
    /// The battery charge in percent, from `org.bluez.Battery1` at the same path.
    package var batteryLevel: Int?
    /// The reason why the last link ended, if bluetoothd reports it (from 5.83 on).
    package var disconnection: DBusError?
    package var isBonded: Bool?
    package var isTrusted = false
    package var isBlocked = false
    package var icon: String?
    /// The Class of Device, which classic devices have.
    package var deviceClass: UInt32?
    /// The time at which Disconnect was called, while the link is ending.
    var disconnectionBegan: MonotonicInstant?
    package var areServicesResolved = false
    /// Whether the services are resolved and all of their objects are in the mirror.
    package var areServicesComplete = false
    /// Whether the services have been complete on this link. Later additions and removals count as changes.
    var haveServicesBeenComplete = false
    /// Whether such a change is in progress.
    var areServicesModified = false
    package var advertisement = AdvertisementData()

    init(at path: ObjectPath) {
        adapter = path.parent
    }

    /// Returns whether the device belongs to this adapter.
    package func isOn(_ adapter: ObjectPath?) -> Bool {
        adapter != nil && adapter == self.adapter
    }

    /// Applies one property, and returns the kind of change. Unknown ones are left unread.
    func apply(_ property: MessageText, _ reader: inout MessageReader) throws(DBusError) -> Changes {
        switch property {
        // The properties that each advertisement changes come first, because the cases are compared one after another.
        case "RSSI":
            let strength = Int(try reader.readInt16())
            isHeard = true
            rssi = AdvertisementData.signalStrength(reported: strength)
            if let rssi { lastRSSI = rssi }
            return [.advertisement, .rssi]
        case "ManufacturerData", "ServiceData": return try applyAdvertisement(property, &reader)
        case "Address": address = BluetoothAddress(try reader.readString())
        case "AddressType": addressKind = BluetoothAddress.Kind(rawValue: try reader.readString())
        case "Alias":
            // For a device without a name, BlueZ reports the address with hyphens.
            let text = try reader.readString()
            alias = BluetoothAddress(text) == nil ? text : nil
        case "PreferredBearer": preferredBearer = try reader.readString()
        case "Paired": isPaired = try reader.readBoolean()
        case "Bonded": isBonded = try reader.readBoolean()
        case "Trusted": isTrusted = try reader.readBoolean()
        case "Blocked": isBlocked = try reader.readBoolean()
        case "Icon": icon = try reader.readString()
        case "Class": deviceClass = try reader.readUInt32()
        case "Name":
            name = Self.withoutTrailingNUL(try reader.readString())
            advertisement.localName = name
            return [.name]
        case "Connected":
            let wasConnected = isConnected
            setConnected(try reader.readBoolean())
            return isConnected == wasConnected ? [] : [.connected]
        case "ServicesResolved":
            let value = try reader.readBoolean()
            defer { areServicesResolved = value }
            if !value { areServicesComplete = false }
            return value == areServicesResolved ? [] : [.servicesResolved]
        default: return try applyAdvertisement(property, &reader)
        }
        return []
    }

    private func setConnected(_ value: Bool) {
        if value != isConnected { isLinkOwn = false }
        isConnected = value
        disconnectionBegan = nil
        if value {
            disconnection = nil
        } else {
            areServicesComplete = false
            haveServicesBeenComplete = false
            areServicesModified = false
        }
    }

    /// Notes a link that bluetoothd has not signalled, and returns the changes.
    func takeUnsignalledLink() -> Changes {
        guard !isConnected else { return [] }
        setConnected(true)
        // The services of a device without a link have been ignored so far.
        return areServicesResolved ? [.connected, .servicesResolved] : [.connected]
    }

    private func applyAdvertisement(
        _ property: MessageText,
        _ reader: inout MessageReader
    ) throws(DBusError) -> Changes {
        switch property {
        case "ManufacturerData":
            try Self.read(&advertisement.manufacturerData, from: &reader) { (entry) throws(DBusError) in
                try entry.readUInt16()
            }
        case "ServiceData":
            var data: [BluetoothUUID: Data] = [:]
            try reader.readProperties { (text, value) throws(DBusError) in
                if let uuid = BluetoothUUID(text) { data[uuid] = try value.readData() }
            }
            advertisement.serviceData = data
        case "UUIDs":
            // After the first connection these are the discovered services, not the advertised ones (src/device.c).
            advertisement.serviceUUIDs = try reader.readStrings().compactMap { BluetoothUUID($0) }
            return [.services]
        case "TxPower": advertisement.txPowerLevel = Int(try reader.readInt16())
        case "Appearance":
            advertisement.appearance = try reader.readUInt16()
            return []
        case "AdvertisingFlags": advertisement.flags = try reader.readData()
        case "AdvertisingData":
            try Self.read(&advertisement.structures, from: &reader) { (entry) throws(DBusError) in
                try entry.readByte()
            }
        default: return []
        }
        return [.advertisement]
    }

    /// Reads a dictionary of data. Most devices advertise a single entry, always with the same key. Its value is
    /// replaced in place, without a new dictionary for each advertisement.
    private static func read<Key>(
        _ data: inout [Key: Data],
        from reader: inout MessageReader,
        readKey: (inout MessageReader) throws(DBusError) -> Key
    ) throws(DBusError) {
        var first: (key: Key, value: Data)?
        var others: [Key: Data] = [:]
        try reader.readDictionary { (entry) throws(DBusError) in
            let key = try readKey(&entry)
            let value = try entry.readVariant { (value) throws(DBusError) in try value.readData() }
            if first == nil { first = (key, value) } else { others[key] = value }
        }
        if let first, others.isEmpty, data.count == 1, data.keys.first == first.key {
            data.values[data.startIndex] = first.value
        } else {
            data = others
            if let first, data[first.key] == nil { data[first.key] = first.value }
        }
    }

    /// Whether Disconnect was called and the link has not ended. For two seconds, bluetoothd takes the old link for a
    /// new one (src/device.c: DISCONNECT_TIMER). The time is limited because the reply or the signal may never arrive.
    package var isLinkEnding: Bool {
        disconnectionBegan.map { MonotonicInstant.now - $0 < Timeouts.disconnect } ?? false
    }

    /// Returns the kinds of differences.
    func differences(from old: DeviceProperties) -> Changes {
        var changes: Changes = []
        if isConnected != old.isConnected { changes.insert(.connected) }
        if areServicesResolved != old.areServicesResolved { changes.insert(.servicesResolved) }
        if name != old.name { changes.insert(.name) }
        if advertisement.serviceUUIDs != old.advertisement.serviceUUIDs { changes.insert(.services) }
        guard isHeard, rssi != old.rssi || !old.isHeard || advertisement != old.advertisement else { return changes }
        return changes.union([.advertisement, .rssi])
    }

    /// Removes a property that bluetoothd has invalidated. An advertisement never does that.
    func invalidate(_ property: MessageText) {
        switch property {
        case "RSSI":
            rssi = nil
            isHeard = false
        case "TxPower": advertisement.txPowerLevel = nil
        case "Name":
            name = nil
            advertisement.localName = nil
        case "ManufacturerData": advertisement.manufacturerData = [:]
        case "ServiceData": advertisement.serviceData = [:]
        case "AdvertisingFlags": advertisement.flags = nil
        case "AdvertisingData": advertisement.structures = [:]
        default: break
        }
    }

    /// Removes the terminating NUL of a C string, which some peripherals send with the name.
    private static func withoutTrailingNUL(_ text: String) -> String {
        String(text.prefix { $0 != "\0" })
    }
}
