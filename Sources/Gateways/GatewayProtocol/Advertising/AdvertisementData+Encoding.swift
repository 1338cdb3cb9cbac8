import BlueZValues
import FoundationEssentials

/// BlueZ merges advertisements and scan responses, and does not report the bytes. So they are rebuilt from its
/// properties: the same content, but one structure per kind, in a fixed order, with each list of UUIDs and each name
/// marked as complete.
extension AdvertisementData {
    /// The data as AD structures. Each has a length of one byte, a type, and content (Core Specification, Vol 3, Part
    /// C, 11). Data that do not fit into `GatewayLimits.advertisement` bytes or into one structure are omitted.
    package var encoded: [UInt8] {
        var result: [UInt8] = []
        func append(raw type: UInt8, _ content: some Collection<UInt8>) {
            guard content.count <= 254, result.count + content.count + 2 <= GatewayLimits.advertisement else { return }
            result.append(UInt8(content.count + 1))
            result.append(type)
            result.append(contentsOf: content)
        }
        func append(_ type: AdvertisingType, _ content: some Collection<UInt8>) { append(raw: type.rawValue, content) }
        if let flags { append(.flags, flags) }
        for (type, content) in uuidLists { append(type, content) }
        for (company, data) in manufacturerData.sorted(by: { $0.key < $1.key }) {
            append(.manufacturerData, Self.littleEndian(UInt32(company), 2) + data)
        }
        for (uuid, data) in serviceData.sorted(by: { $0.key < $1.key }) {
            let type: AdvertisingType =
                switch uuid.size {
                case 2: .serviceData16
                case 4: .serviceData32
                default: .serviceData128
                }
            append(type, uuid.littleEndian + data)
        }
        if let localName { append(.completeName, localName.prefix(bytes: GatewayLimits.name).utf8) }
        if let power = txPowerLevel.flatMap(Int8.init(exactly:)) {
            append(.txPower, [UInt8(bitPattern: power)])
        }
        if let appearance { append(.appearance, Self.littleEndian(UInt32(appearance), 2)) }
        for (type, content) in structures.sorted(by: { $0.key < $1.key }) where AdvertisingType(rawValue: type) == nil {
            append(raw: type, content)
        }
        return result
    }

    /// The lists of UUIDs: one structure holds at most 254 bytes of them.
    private var uuidLists: [(type: AdvertisingType, content: [UInt8])] {
        let kinds: [(Int, AdvertisingType)] = [(2, .allUUIDs16), (4, .allUUIDs32), (16, .allUUIDs128)]
        var lists: [(type: AdvertisingType, content: [UInt8])] = []
        for (size, type) in kinds {
            var rest = serviceUUIDs.filter { $0.size == size }[...]
            while !rest.isEmpty {
                let part = rest.prefix(254 / size)
                lists.append((type, part.flatMap(\.littleEndian)))
                rest = rest.dropFirst(part.count)
            }
        }
        return lists
    }

    /// Creates the data from AD structures; nil if one extends beyond the end or is too short for its type. A length of
    /// zero ends them.
    package init?(encoded bytes: [UInt8]) {
        self.init()
        var rest = bytes[...]
        while let length = rest.popFirst(), length > 0 {
            guard rest.count >= length, let type = rest.first else { return nil }
            guard read(type, [UInt8](rest.dropFirst().prefix(Int(length) - 1))) else { return nil }
            rest = rest.dropFirst(Int(length))
        }
    }

    private mutating func read(_ type: UInt8, _ content: [UInt8]) -> Bool {
        switch AdvertisingType(rawValue: type) {
        case .flags: flags = Data(content)
        case .someUUIDs16, .allUUIDs16: return readUUIDs(content, size: 2)
        case .someUUIDs32, .allUUIDs32: return readUUIDs(content, size: 4)
        case .someUUIDs128, .allUUIDs128: return readUUIDs(content, size: 16)
        case .shortenedName, .completeName:
            localName = String(decoding: content, as: UTF8.self).prefix(bytes: GatewayLimits.name)
        case .txPower:
            guard content.count == 1 else { return false }
            txPowerLevel = Int(Int8(bitPattern: content[0]))
        case .appearance:
            guard content.count == 2 else { return false }
            appearance = UInt16(content[0]) | UInt16(content[1]) << 8
        case .serviceData16: return readServiceData(content, size: 2)
        case .serviceData32: return readServiceData(content, size: 4)
        case .serviceData128: return readServiceData(content, size: 16)
        case .manufacturerData:
            guard content.count >= 2 else { return false }
            manufacturerData[UInt16(content[0]) | UInt16(content[1]) << 8] = Data(content.dropFirst(2))
        case nil: structures[type] = Data(content)
        }
        return true
    }

    private mutating func readUUIDs(_ content: [UInt8], size: Int) -> Bool {
        guard content.count.isMultiple(of: size) else { return false }
        for start in stride(from: 0, to: content.count, by: size) {
            serviceUUIDs.append(BluetoothUUID(littleEndian: content[start..<start + size]))
        }
        return true
    }

    private mutating func readServiceData(_ content: [UInt8], size: Int) -> Bool {
        guard content.count >= size else { return false }
        serviceData[BluetoothUUID(littleEndian: content.prefix(size))] = Data(content.dropFirst(size))
        return true
    }

    private static func littleEndian(_ value: UInt32, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

extension BluetoothUUID {
    /// The number of bytes of the structure in an advertisement.
    fileprivate var size: Int {
        short != nil ? 2 : short32 != nil ? 4 : 16
    }

    fileprivate var littleEndian: [UInt8] {
        if let short32 { return (0..<size).map { UInt8(truncatingIfNeeded: short32 >> (8 * $0)) } }
        return [low, high].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * $0)) } }
    }

    /// - Parameter content: 2, 4 or 16 bytes.
    fileprivate init(littleEndian content: some BidirectionalCollection<UInt8>) {
        var (high, low): (UInt64, UInt64) = (0, 0)
        for byte in content.reversed() {
            high = high << 8 | low >> 56
            low = low << 8 | UInt64(byte)
        }
        if content.count == 16 { self.init(high: high, low: low) } else { self.init(UInt32(truncatingIfNeeded: low)) }
    }
}

/// The types of AD structures for which there are properties (Bluetooth SIG Assigned Numbers, 2.3).
enum AdvertisingType: UInt8 {
    case flags = 0x01
    case someUUIDs16 = 0x02
    case allUUIDs16 = 0x03
    case someUUIDs32 = 0x04
    case allUUIDs32 = 0x05
    case someUUIDs128 = 0x06
    case allUUIDs128 = 0x07
    case shortenedName = 0x08
    case completeName = 0x09
    case txPower = 0x0A
    case serviceData16 = 0x16
    case appearance = 0x19
    case serviceData32 = 0x20
    case serviceData128 = 0x21
    case manufacturerData = 0xFF
}
