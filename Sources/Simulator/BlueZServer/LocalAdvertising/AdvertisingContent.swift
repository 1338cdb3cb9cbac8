import BlueZValues

/// Advertising data or a scan response, modelled on src/shared/ad.c.
struct AdvertisingContent {
    /// A UUID with the size in which it is sent.
    struct Service: Hashable {
        let uuid: BluetoothUUID
        let size: Int

        /// bt_string_to_uuid(): nil for other text.
        init?(_ text: String) {
            guard let uuid = BluetoothUUID(bluez: text) else { return nil }
            self.uuid = uuid
            switch text.utf8.count {
            case 4: size = 2
            case 8: size = 4
            default: size = uuid.short == nil ? 16 : 2
            }
        }
    }

    /// Content that has a key, such as a company identifier. There is one for each key.
    struct Entry<Key: Hashable> {
        let key: Key
        var bytes: [UInt8]
    }

    /// BT_AD_MAX_DATA_LEN; from 5.69 on, what the controller supports (bt_ad_set_max_len).
    let maximumLength: Int
    var services: [Service] = []
    var solicited: [Service] = []
    private(set) var manufacturerData: [Entry<UInt16>] = []
    private(set) var serviceData: [Entry<Service>] = []
    var name: [UInt8]?
    var appearance: UInt16?
    private(set) var structures: [Entry<UInt8>] = []

    init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// bt_ad_is_empty()
    var isEmpty: Bool {
        services.isEmpty && solicited.isEmpty && manufacturerData.isEmpty && serviceData.isEmpty && name == nil
            && appearance == nil && structures.isEmpty
    }

    /// The Flags structure, if there is one.
    var flags: UInt8? { structures.first { $0.key == 0x01 }?.bytes.first }

    // MARK: Adding. Each returns false if ad.c does: for content that is too long, and for what is there already.

    mutating func addManufacturerData(_ company: UInt16, _ bytes: [UInt8]) -> Bool {
        bytes.count <= maximumLength - 4 && Self.set(company, bytes, &manufacturerData) { $0 }
    }

    mutating func addServiceData(_ service: Service, _ bytes: [UInt8]) -> Bool {
        bytes.count <= maximumLength - 2 - service.size && Self.set(service, bytes, &serviceData) { $0.uuid }
    }

    /// bt_ad_add_data() with type_reject_list.
    mutating func addStructure(_ type: UInt8, _ bytes: [UInt8]) -> Bool {
        bytes.count <= maximumLength - 2 && !Self.rejected.contains(type) && Self.set(type, bytes, &structures) { $0 }
    }

    mutating func setFlags(_ flags: UInt8) -> Bool { Self.set(0x01, [flags], &structures) { $0 } }

    mutating func clearFlags() { structures.removeAll { $0.key == 0x01 } }
    mutating func clearStructures() { structures.removeAll() }
    mutating func clearManufacturerData() { manufacturerData.removeAll() }
    mutating func clearServiceData() { serviceData.removeAll() }

    private static func set<Key, ID: Equatable>(
        _ key: Key, _ bytes: [UInt8], _ entries: inout [Entry<Key>], by id: (Key) -> ID
    ) -> Bool {
        guard let index = entries.firstIndex(where: { id($0.key) == id(key) }) else {
            entries.append(Entry(key: key, bytes: bytes))
            return true
        }
        guard entries[index].bytes != bytes else { return false }
        entries[index].bytes = bytes
        return true
    }

    /// The types that a client can neither send nor receive as they are, because there is a property or they are for
    /// pairing.
    static let rejected = Set<UInt8>(
        [0x01...0x0A, 0x0D...0x12, 0x14...0x23, 0x27...0x2B, 0x3D...0x3D, 0xFF...0xFF].joined())

    // MARK: Bytes

    /// bt_ad_generate(): the bytes in ad.c's order; nil if there are too many.
    func bytes() -> [UInt8]? {
        var bytes: [UInt8] = []
        for size in [2, 4, 16] { bytes += Self.list(AdvertisingType.allUUIDs(size: size).rawValue, services, size) }
        for (type, size) in [(0x14, 2), (0x1F, 4), (0x15, 16)] as [(UInt8, Int)] {
            bytes += Self.list(type, solicited, size)
        }
        for entry in manufacturerData {
            bytes += AdvertisingStructures.bytes(0xFF, [UInt8(entry.key & 0xFF), UInt8(entry.key >> 8)] + entry.bytes)
        }
        for entry in serviceData {
            let type = AdvertisingType.serviceData(size: entry.key.size).rawValue
            bytes += AdvertisingStructures.bytes(type, entry.key.uuid.littleEndian(size: entry.key.size) + entry.bytes)
        }
        if let name {
            // The name is shortened to what fits behind the structures before it, not before those after it.
            let space = maximumLength - bytes.count - 2
            guard space >= 0 else { return nil }
            bytes += AdvertisingStructures.bytes(name.count > space ? 0x08 : 0x09, Array(name.prefix(space)))
        }
        if let appearance {
            bytes += AdvertisingStructures.bytes(0x19, [UInt8(appearance & 0xFF), UInt8(appearance >> 8)])
        }
        for entry in structures { bytes += AdvertisingStructures.bytes(entry.key, entry.bytes) }
        return bytes.count > maximumLength ? nil : bytes
    }

    private static func list(_ type: UInt8, _ services: [Service], _ size: Int) -> [UInt8] {
        let content = services.filter { $0.size == size }.flatMap { $0.uuid.littleEndian(size: size) }
        return content.isEmpty ? [] : AdvertisingStructures.bytes(type, content)
    }
}
