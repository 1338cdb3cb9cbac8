/// The address of a device: six bytes, the first one printed first. In JSON it is "BC:6A:29:AC:16:6B", and in topics
/// "BC6A29AC166B".
package struct DeviceAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The lower 48 bits.
    package let value: UInt64

    /// Reads six pairs of hexadecimal digits with colons; nil if there is anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        self.init(compact: parts.joined())
    }

    /// Reads twelve hexadecimal digits; nil if there is anything else.
    package init?(compact text: String) {
        guard let bytes = Hexadecimal(text, limit: 6)?.bytes, bytes.count == 6 else { return nil }
        value = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private var bytes: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> (40 - 8 * $0)) } }

    /// With colons.
    package var description: String { bytes.map { Hexadecimal.text([$0]).uppercased() }.joined(separator: ":") }

    /// Without colons.
    package var compact: String { Hexadecimal.text(bytes).uppercased() }

    package static func < (left: DeviceAddress, right: DeviceAddress) -> Bool { left.value < right.value }

    /// Whether an address is fixed by its maker or chosen by the device.
    package enum Kind: String, Codable, Hashable, Sendable {
        case `public`, random
    }
}

extension DeviceAddress: Codable {
    package init(from decoder: any Decoder) throws {
        guard let address = DeviceAddress(try decoder.text(limit: 17)) else {
            throw decoder.corrupted("an address has six pairs of hexadecimal digits with colons")
        }
        self = address
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
