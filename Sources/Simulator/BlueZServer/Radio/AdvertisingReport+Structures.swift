import BlueZValues

extension AdvertisingReport {
    /// Adds the structures of advertising data or of a scan response, like eir_parse() of src/eir.c. A structure that
    /// is longer than the data, or of length 0, ends the data.
    mutating func add(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while rest.count > 1, let length = rest.first, length > 0, rest.count > Int(length) {
            let structure = rest.dropFirst().prefix(Int(length))
            rest = rest.dropFirst(1 + Int(length))
            if let type = structure.first { add(type, Array(structure.dropFirst())) }
        }
    }

    private mutating func add(_ type: UInt8, _ content: [UInt8]) {
        switch type {
        case 0x01: flags = content.first ?? flags
        case 0x02, 0x03: addServices(content, size: 2)
        case 0x04, 0x05: addServices(content, size: 4)
        case 0x06, 0x07: addServices(content, size: 16)
        case 0x08, 0x09:
            localName = AdvertisementData.name(content)
        case 0x0A: txPower = content.first.map { Int8(bitPattern: $0) } ?? txPower
        case 0x19: if content.count >= 2 { appearance = UInt16(content[0]) | UInt16(content[1]) << 8 }
        case 0x16: addServiceData(content, size: 2)
        case 0x20: addServiceData(content, size: 4)
        case 0x21: addServiceData(content, size: 16)
        case 0xFF:
            guard content.count >= 2 else { return }
            manufacturerData[UInt16(content[0]) | UInt16(content[1]) << 8] = Array(content.dropFirst(2))
        default: structures[type] = content
        }
    }

    private mutating func addServices(_ content: [UInt8], size: Int) {
        for start in stride(from: 0, through: content.count - size, by: size) {
            let uuid = BluetoothUUID(littleEndian: content[start..<(start + size)])
            if !serviceUUIDs.contains(uuid) { serviceUUIDs.append(uuid) }
        }
    }

    private mutating func addServiceData(_ content: [UInt8], size: Int) {
        guard content.count >= size else { return }
        serviceData[BluetoothUUID(littleEndian: content[..<size])] = Array(content.dropFirst(size))
    }
}

extension BluetoothUUID {
    /// Creates a UUID from the bytes of an advertisement: 2, 4 or 16, the least significant first.
    init(littleEndian bytes: ArraySlice<UInt8>) {
        let number = { (bytes: ArraySlice<UInt8>) in bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        if bytes.count == 16 {
            self.init(high: number(bytes.suffix(8)), low: number(bytes.prefix(8)))
        } else {
            self.init(UInt32(truncatingIfNeeded: number(bytes)))
        }
    }

    /// The UUID in 2, 4 or 16 bytes, the least significant first.
    func littleEndian(size: Int) -> [UInt8] {
        func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        }
        return size == 16 ? bytes(low, 8) + bytes(high, 8) : bytes(high >> 32, size)
    }
}
