import FoundationEssentials

/// Bytes at a position in an advertisement, by which bluetoothd selects advertisements for a passive scan
/// (doc/org.bluez.AdvertisementMonitor.rst: Patterns).
public struct AdvertisementPattern: Hashable, Codable, Sendable {
    /// The AD type of the field to search, an assigned number: 0x01 flags, 0x09 name, 0xFF manufacturer data.
    public var type: UInt8
    /// The offset of the content in the field's data, in bytes.
    public var offset: UInt8
    /// The bytes to match: 1 to 31, and not beyond the 31st byte of the data.
    public var content: Data

    /// Creates a pattern for any field.
    public init(type: UInt8, offset: UInt8 = 0, content: Data) {
        self.type = type
        self.offset = offset
        self.content = content
    }

    /// Matches advertisements with exactly these flags (AD type 0x01), such as 0x06: LE only and generally
    /// discoverable.
    public static func flags(_ flags: UInt8) -> AdvertisementPattern {
        AdvertisementPattern(type: 0x01, content: Data([flags]))
    }

    /// Matches advertisements with manufacturer data (AD type 0xFF), which begin with the identifier, low byte first.
    public static func manufacturer(_ company: UInt16) -> AdvertisementPattern {
        AdvertisementPattern(type: 0xFF, content: Data([UInt8(company & 0xFF), UInt8(company >> 8)]))
    }

    /// Matches advertisements whose complete local name (AD type 0x09) begins with this text, 1 to 31 bytes in UTF-8.
    public static func name(_ prefix: String) -> AdvertisementPattern {
        AdvertisementPattern(type: 0x09, content: Data(prefix.utf8))
    }

    /// Matches advertisements with service data for a 16-bit UUID (AD type 0x16), which comes first, low byte first.
    public static func serviceData(_ service: UInt16) -> AdvertisementPattern {
        AdvertisementPattern(type: 0x16, content: Data([UInt8(service & 0xFF), UInt8(service >> 8)]))
    }

    /// Whether bluetoothd accepts the pattern. Otherwise it releases the whole monitor (src/adv_monitor.c:
    /// parse_patterns).
    package var isValid: Bool { (1...31).contains(content.count) && Int(offset) + content.count <= 31 }
}
