import FoundationEssentials

extension AdvertisementData {
    /// Adds the structures of a packet, like eir_parse() of bluetoothd's src/eir.c: later ones replace earlier ones of
    /// the same type, except for services, which are added once each. What is too short for its type is left out.
    ///
    /// - Parameters:
    ///   - limit: how many services, service data and companies are kept.
    ///   - keepsCompleteName: whether a shortened name doesn't replace a name.
    /// - Returns: whether every structure was whole and of a size that its type can have.
    @discardableResult
    package mutating func add(
        structures bytes: ArraySlice<UInt8>, atMost limit: Int = .max, keepsCompleteName: Bool = false
    ) -> Bool {
        var structures = AdvertisingStructures(bytes)
        var isWellFormed = true
        while let (type, content) = structures.next() {
            guard let known = AdvertisingType(rawValue: type) else {
                self.structures[type] = Data(content)
                continue
            }
            if known == .shortenedName, keepsCompleteName, localName != nil { continue }
            if !add(known, content, atMost: limit) { isWellFormed = false }
        }
        return isWellFormed && !structures.isTruncated
    }

    private mutating func add(_ type: AdvertisingType, _ content: ArraySlice<UInt8>, atMost limit: Int) -> Bool {
        switch type {
        case .flags:
            if !content.isEmpty { flags = Data(content) }
        case .someUUIDs16, .allUUIDs16: return addServices(content, size: 2, atMost: limit)
        case .someUUIDs32, .allUUIDs32: return addServices(content, size: 4, atMost: limit)
        case .someUUIDs128, .allUUIDs128: return addServices(content, size: 16, atMost: limit)
        case .shortenedName, .completeName: localName = Self.name(content)
        case .txPower:
            guard let byte = content.first else { return false }
            txPowerLevel = Int(Int8(bitPattern: byte))
            return content.count == 1
        case .appearance:
            guard let number = Self.number(content) else { return false }
            appearance = number
            return content.count == 2
        case .serviceData16: return addServiceData(content, size: 2, atMost: limit)
        case .serviceData32: return addServiceData(content, size: 4, atMost: limit)
        case .serviceData128: return addServiceData(content, size: 16, atMost: limit)
        case .manufacturerData:
            guard let company = Self.number(content) else { return false }
            // Some devices send values in place of the company: what they sent before is forgotten from time to time.
            if manufacturerData.count >= limit, manufacturerData[company] == nil { manufacturerData = [:] }
            manufacturerData[company] = Data(content.dropFirst(2))
        }
        return true
    }

    private mutating func addServices(_ content: ArraySlice<UInt8>, size: Int, atMost limit: Int) -> Bool {
        var rest = content
        while rest.count >= size, let uuid = BluetoothUUID(littleEndian: rest.prefix(size)) {
            rest = rest.dropFirst(size)
            if serviceUUIDs.count < limit, !serviceUUIDs.contains(uuid) { serviceUUIDs.append(uuid) }
        }
        return rest.isEmpty
    }

    private mutating func addServiceData(_ content: ArraySlice<UInt8>, size: Int, atMost limit: Int) -> Bool {
        guard content.count >= size, let uuid = BluetoothUUID(littleEndian: content.prefix(size)) else { return false }
        if serviceData.count < limit || serviceData[uuid] != nil { serviceData[uuid] = Data(content.dropFirst(size)) }
        return true
    }

    /// A number of 16 bits, the low byte first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt16? {
        guard bytes.count >= 2 else { return nil }
        return UInt16(bytes[bytes.startIndex]) | UInt16(bytes[bytes.startIndex + 1]) << 8
    }

    private static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }

    /// The number of bytes of the structures.
    package var length: Int { fields.reduce(0) { $0 + 2 + $1.content.count } }

    /// The data as structures: one for each kind, in a fixed order, with lists of UUIDs and the name marked as complete.
    package var fields: [(type: UInt8, content: [UInt8])] {
        var fields: [(type: UInt8, content: [UInt8])] = []
        func append(_ type: AdvertisingType, _ content: [UInt8]) { fields.append((type.rawValue, content)) }
        if let flags { append(.flags, [UInt8](flags)) }
        for size in [2, 4, 16] {
            var rest = serviceUUIDs.filter { $0.shortestSize == size }[...]
            while !rest.isEmpty {
                let part = rest.prefix(AdvertisingStructures.longestContent / size)
                append(.allUUIDs(size: size), part.flatMap { $0.littleEndian(size: size) })
                rest = rest.dropFirst(part.count)
            }
        }
        for (company, data) in manufacturerData.sorted(by: { $0.key < $1.key }) {
            append(.manufacturerData, Self.bytes(company) + data)
        }
        for (uuid, data) in serviceData.sorted(by: { $0.key < $1.key }) {
            let size = uuid.shortestSize
            append(.serviceData(size: size), uuid.littleEndian(size: size) + data)
        }
        if let localName { append(.completeName, [UInt8](localName.utf8)) }
        if let power = txPowerLevel.flatMap(Int8.init(exactly:)) { append(.txPower, [UInt8(bitPattern: power)]) }
        if let appearance { append(.appearance, Self.bytes(appearance)) }
        for (type, content) in structures.sorted(by: { $0.key < $1.key }) where AdvertisingType(rawValue: type) == nil {
            fields.append((type, [UInt8](content)))
        }
        return fields
    }
}

extension BluetoothUUID {
    /// The number of bytes of its shortest form.
    fileprivate var shortestSize: Int { short != nil ? 2 : short32 != nil ? 4 : 16 }
}
