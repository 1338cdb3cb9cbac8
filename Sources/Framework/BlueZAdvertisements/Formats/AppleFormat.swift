import BlueZPrintableText

/// Apple's messages in its manufacturer data: a type of one byte, a length of one byte, and content; several can follow
/// each other.
///
/// iBeacon (type 0x02, length 21) is published by Apple: a UUID of 16 bytes, the major and the minor number of two bytes
/// each, all with the high byte first, and the signal strength at 1 m as a signed byte in dBm. The names of the other
/// types are those that the projects furiousMAC/continuity and hexway/apple_bleee found out.
struct AppleFormat: AdvertisementFormat {
    let sources: [AdvertisementSource] = [.manufacturer(0x004C)]

    func decode(_ payload: AdvertisementPayload) -> [AdvertisementPart] {
        var parts: [AdvertisementPart] = []
        var rest = payload.bytes[...]
        // Each message takes a byte at least, so this ends.
        while let type = rest.popFirst() {
            var part = AdvertisementPart(Self.name(type), of: payload)
            part.isReverseEngineered = type != 0x02
            guard let length = rest.popFirst().map(Int.init), rest.count >= length else {
                part.problem = .truncated
                return parts + [part]
            }
            let content = rest.prefix(length)
            rest = rest.dropFirst(length)
            if type == 0x02 {
                part.read(content, Self.readBeacon)
                if length > 21 { part.problem = .malformed }
            } else {
                part.problem = .nameOnly
            }
            parts.append(part)
        }
        return parts
    }

    private static func readBeacon(
        _ part: inout AdvertisementPart, _ reader: inout ByteReader
    ) throws(AdvertisementProblem) {
        let uuid = try reader.bytes(16)
        let number = { (bytes: ArraySlice<UInt8>) in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        part.add(.uuid, BluetoothUUID(high: number(uuid.prefix(8)), low: number(uuid.suffix(8))).fullString)
        part.add(.major, Double(try reader.bigUnsigned(2)))
        part.add(.minor, Double(try reader.bigUnsigned(2)))
        part.add(.measuredPower, Double(try reader.bigSigned(1)), .decibelMilliwatt)
    }

    private static func name(_ type: UInt8) -> String {
        names[type] ?? "Apple 0x\(String(hexadecimal: type, digits: 2))"
    }

    private static let names: [UInt8: String] = [
        0x02: "iBeacon", 0x03: "Apple AirPrint", 0x05: "Apple AirDrop", 0x06: "Apple HomeKit",
        0x07: "Apple Proximity Pairing", 0x08: "Apple Hey Siri", 0x09: "Apple AirPlay Target",
        0x0A: "Apple AirPlay Source", 0x0B: "Apple Magic Switch", 0x0C: "Apple Handoff",
        0x0D: "Apple Tethering Target", 0x0E: "Apple Tethering Source", 0x0F: "Apple Nearby Action",
        0x10: "Apple Nearby Info", 0x12: "Apple Find My",
    ]
}
