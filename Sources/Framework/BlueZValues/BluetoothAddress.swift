import BlueZPrintableText

/// A 48-bit device address.
public struct BluetoothAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Whether the address is registered or random.
    public enum Kind: String, Codable, Sendable {
        /// A public address, registered with the IEEE.
        case `public`
        /// A random address: static, or private, which changes.
        case random
    }

    package let value: UInt64

    /// Creates an address from its 48 bits.
    package init(bits: UInt64) { value = bits & 0xFFFF_FFFF_FFFF }

    /// Creates an address from its usual form: six pairs of hexadecimal digits separated by colons or hyphens. Nil for
    /// other text.
    public init?(_ text: String) {
        self.init(text.utf8) { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "-") }
    }

    /// Creates an address from the name of BlueZ's object, such as dev_BC_6A_29_AC_16_6B (src/device.c). Nil for another
    /// name.
    package init?(objectName name: some StringProtocol) {
        guard name.utf8.starts(with: "dev_".utf8) else { return nil }
        self.init(name.utf8.dropFirst(4)) { $0 == UInt8(ascii: "_") }
    }

    /// Creates an address from six bytes in the order of the text, the most significant first. Nil for another number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 6 else { return nil }
        value = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private init?(_ text: some Collection<UInt8>, _ isSeparator: (UInt8) -> Bool) {
        guard text.count == 17 else { return nil }
        var value: UInt64 = 0
        var index = -1
        for byte in text {
            index += 1
            if index % 3 == 2 {
                guard isSeparator(byte) else { return nil }
            } else {
                guard let digit = byte.hexadecimalDigit else { return nil }
                value = value << 4 | UInt64(digit)
            }
        }
        self.value = value
    }

    /// Creates an address from part of a text, in the same form.
    public init?(_ text: some StringProtocol) {
        self.init(String(text))
    }

    /// The six bytes in the order of the text, the most significant first. Packets have them in reverse order.
    public var bytes: [UInt8] {
        stride(from: 40, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) }
    }

    /// Six pairs of uppercase digits separated by colons, as BlueZ writes addresses.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(17)
        for shift in stride(from: 44, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift) & 0xF)
            text.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10))
            if shift > 0, shift % 8 == 0 { text.append(UInt8(ascii: ":")) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a random address of this form is static, which its two upper bits indicate (Core Specification, Vol 6
    /// Part B 1.3.2.1).
    package var isStaticRandom: Bool { value >> 46 == 0b11 }

    /// Orders addresses by value.
    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

extension BluetoothAddress: Codable {
    /// Reads the text of an address in any of its forms.
    public init(from decoder: any Decoder) throws {
        self = try decoder.readText("an address") { Self($0) }
    }

    /// Writes the address in the form of `description`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
