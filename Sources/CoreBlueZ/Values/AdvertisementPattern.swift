import FoundationEssentials

/// Bytes at a place in an advertisement, by which bluetoothd recognizes what a passive scan looks for
/// (doc/org.bluez.AdvertisementMonitor.rst: Patterns).
public struct AdvertisementPattern: Hashable, Codable, Sendable {
    /// The AD type of the field that is looked into, an assigned number: 0x01 flags, 0x09 name, 0xFF manufacturer data.
    public var type: UInt8
    /// Where in the field's data the content begins, in bytes.
    public var offset: UInt8
    /// The bytes that must stand there: 1 to 31, and no further than the 31st byte of the data.
    public var content: Data

    /// A pattern of any field.
    public init(type: UInt8, offset: UInt8 = 0, content: Data) {
        self.type = type
        self.offset = offset
        self.content = content
    }

    /// Advertisements with exactly these flags (AD type 0x01), such as 0x06: LE only and generally discoverable.
    public static func flags(_ flags: UInt8) -> AdvertisementPattern {
        AdvertisementPattern(type: 0x01, content: Data([flags]))
    }

    /// Advertisements with data of a manufacturer (AD type 0xFF), whose identifier comes first, low byte first.
    public static func manufacturer(_ company: UInt16) -> AdvertisementPattern {
        AdvertisementPattern(type: 0xFF, content: Data([UInt8(company & 0xFF), UInt8(company >> 8)]))
    }

    /// Advertisements whose complete local name (AD type 0x09) begins with this text, of 1 to 31 bytes in UTF-8.
    public static func name(_ prefix: String) -> AdvertisementPattern {
        AdvertisementPattern(type: 0x09, content: Data(prefix.utf8))
    }

    /// Advertisements with data of a service with a 16-bit UUID (AD type 0x16), which comes first, low byte first.
    public static func serviceData(_ service: UInt16) -> AdvertisementPattern {
        AdvertisementPattern(type: 0x16, content: Data([UInt8(service & 0xFF), UInt8(service >> 8)]))
    }

    /// Whether bluetoothd takes it: it releases the whole monitor otherwise (src/adv_monitor.c: parse_patterns).
    var isValid: Bool { (1...31).contains(content.count) && Int(offset) + content.count <= 31 }
}
