extension AdvertisedData {
    /// The AD structures: each is a length of one byte, a type, and content (Core Specification, Vol 3, Part C, 11). What
    /// does not fit into `GatewayLimits.advertisement` bytes or into one structure is left out.
    package var structures: [UInt8] {
        var result: [UInt8] = []
        func append(_ type: UInt8, _ content: [UInt8]) {
            guard content.count <= 254, result.count + content.count + 2 <= GatewayLimits.advertisement else { return }
            result.append(UInt8(content.count + 1))
            result.append(type)
            result.append(contentsOf: content)
        }
        if let flags { append(AdvertisingType.flags, flags) }
        for (type, content) in uuidLists { append(type, content) }
        for (company, data) in manufacturerData.sorted(by: { $0.key < $1.key }) {
            append(AdvertisingType.manufacturerData, Self.littleEndian(UInt32(company), 2) + data)
        }
        for (uuid, data) in serviceData.sorted(by: { $0.key.description < $1.key.description }) {
            let type =
                switch uuid.size {
                case 2: AdvertisingType.serviceData16
                case 4: AdvertisingType.serviceData32
                default: AdvertisingType.serviceData128
                }
            append(type, uuid.littleEndian + data)
        }
        if let name { append(AdvertisingType.completeName, [UInt8](name.utf8.prefix(GatewayLimits.name))) }
        if let txPower = txPower.flatMap(Int8.init(exactly:)) {
            append(AdvertisingType.txPower, [UInt8(bitPattern: txPower)])
        }
        if let appearance { append(AdvertisingType.appearance, Self.littleEndian(UInt32(appearance), 2)) }
        for (type, content) in others.sorted(by: { $0.key < $1.key }) where !Self.isRead(type) { append(type, content) }
        return result
    }

    /// The lists of UUIDs: one structure holds at most 254 bytes of them.
    private var uuidLists: [(type: UInt8, content: [UInt8])] {
        let kinds = [
            (2, AdvertisingType.allUUIDs16), (4, AdvertisingType.allUUIDs32), (16, AdvertisingType.allUUIDs128),
        ]
        var lists: [(type: UInt8, content: [UInt8])] = []
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

    /// Reads AD structures; nil if one reaches beyond the end or is too short for its type. A length of zero ends them.
    package init?(structures bytes: [UInt8]) {
        var rest = bytes[...]
        while let length = rest.popFirst(), length > 0 {
            guard rest.count >= length, let type = rest.first else { return nil }
            guard read(type, [UInt8](rest.dropFirst().prefix(Int(length) - 1))) else { return nil }
            rest = rest.dropFirst(Int(length))
        }
    }

    private mutating func read(_ type: UInt8, _ content: [UInt8]) -> Bool {
        switch type {
        case AdvertisingType.flags: flags = content
        case AdvertisingType.someUUIDs16, AdvertisingType.allUUIDs16: return readUUIDs(content, size: 2)
        case AdvertisingType.someUUIDs32, AdvertisingType.allUUIDs32: return readUUIDs(content, size: 4)
        case AdvertisingType.someUUIDs128, AdvertisingType.allUUIDs128: return readUUIDs(content, size: 16)
        case AdvertisingType.shortenedName, AdvertisingType.completeName:
            name = String(decoding: content, as: UTF8.self)
        case AdvertisingType.txPower:
            guard content.count == 1 else { return false }
            txPower = Int(Int8(bitPattern: content[0]))
        case AdvertisingType.appearance:
            guard content.count == 2 else { return false }
            appearance = UInt16(content[0]) | UInt16(content[1]) << 8
        case AdvertisingType.serviceData16: return readServiceData(content, size: 2)
        case AdvertisingType.serviceData32: return readServiceData(content, size: 4)
        case AdvertisingType.serviceData128: return readServiceData(content, size: 16)
        case AdvertisingType.manufacturerData:
            guard content.count >= 2 else { return false }
            manufacturerData[UInt16(content[0]) | UInt16(content[1]) << 8] = [UInt8](content.dropFirst(2))
        default: others[type] = content
        }
        return true
    }

    private mutating func readUUIDs(_ content: [UInt8], size: Int) -> Bool {
        guard content.count.isMultiple(of: size) else { return false }
        for start in stride(from: 0, to: content.count, by: size) {
            guard let uuid = GatewayUUID(littleEndian: content[start..<start + size]) else { return false }
            serviceUUIDs.append(uuid)
        }
        return true
    }

    private mutating func readServiceData(_ content: [UInt8], size: Int) -> Bool {
        guard content.count >= size, let uuid = GatewayUUID(littleEndian: content.prefix(size)) else { return false }
        serviceData[uuid] = [UInt8](content.dropFirst(size))
        return true
    }

    /// Whether a property other than `others` holds what has this type.
    private static func isRead(_ type: UInt8) -> Bool {
        switch type {
        case AdvertisingType.flags...AdvertisingType.txPower, AdvertisingType.serviceData16,
            AdvertisingType.appearance, AdvertisingType.serviceData32, AdvertisingType.serviceData128,
            AdvertisingType.manufacturerData:
            true
        default: false
        }
    }

    private static func littleEndian(_ value: UInt32, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

extension GatewayUUID {
    /// How many bytes an advertisement needs for it.
    fileprivate var size: Int {
        guard let short else { return 16 }
        return short <= 0xFFFF ? 2 : 4
    }

    fileprivate var littleEndian: [UInt8] {
        guard let short else { return bytes.reversed() }
        return (0..<size).map { UInt8(truncatingIfNeeded: short >> (8 * $0)) }
    }

    fileprivate init?(littleEndian content: some BidirectionalCollection<UInt8>) {
        if content.count == 16 {
            self.init(bytes: content.reversed())
        } else {
            self.init(short: content.reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
    }
}
