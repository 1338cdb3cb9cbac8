import BlueZPrintableText

/// A UUID of a service, characteristic or descriptor. 16-bit and 32-bit UUIDs are short forms on the Bluetooth base
/// `0000xxxx-0000-1000-8000-00805F9B34FB` (Core Specification, volume 3, part B, 2.5.1). All forms of a UUID are equal.
public struct BluetoothUUID: Hashable, Comparable, Sendable {
    package let high: UInt64
    package let low: UInt64

    /// The Serial Port Profile of classic Bluetooth (Assigned Numbers, 3.3).
    public static let serialPort: BluetoothUUID = 0x1101

    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    /// Creates a 128-bit UUID from two halves, the more significant one first.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a 16-bit UUID, as the Bluetooth SIG assigns them.
    public init(_ short: UInt16) {
        self.init(UInt32(short))
    }

    /// Creates a 32-bit UUID on the Bluetooth base.
    public init(_ short: UInt32) {
        high = Self.baseHigh | UInt64(short) << 32
        low = Self.baseLow
    }

    /// Creates a UUID from its text: 4, 8 or 32 hexadecimal digits, in either case, with or without the usual hyphens
    /// between the 32. Nil for other text.
    public init?(_ text: String) {
        let hasHyphens = text.utf8.count == 36
        var (high, low): (UInt64, UInt64) = (0, 0)
        var (index, count) = (-1, 0)
        for byte in text.utf8 {
            index += 1
            if hasHyphens, index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = byte.hexadecimalDigit, count < 32 else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
            count += 1
        }
        switch count {
        case 4: self.init(UInt16(truncatingIfNeeded: low))
        case 8: self.init(UInt32(truncatingIfNeeded: low))
        case 32: self.init(high: high, low: low)
        default: return nil
        }
    }

    /// Creates a UUID from part of a text, in the same forms.
    public init?(_ text: some StringProtocol) {
        self.init(String(text))
    }

    /// Creates a UUID from the bytes of a packet: 2, 4 or 16, the least significant first. Nil for other numbers.
    package init?(littleEndian bytes: ArraySlice<UInt8>) {
        let number = { (bytes: ArraySlice<UInt8>) in bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 2, 4: self.init(UInt32(truncatingIfNeeded: number(bytes)))
        case 16: self.init(high: number(bytes.suffix(8)), low: number(bytes.prefix(8)))
        default: return nil
        }
    }

    /// The UUID in 2, 4 or 16 bytes, the least significant first.
    package func littleEndian(size: Int) -> [UInt8] {
        func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        }
        return size == 16 ? bytes(low, 8) + bytes(high, 8) : bytes(high >> 32, size)
    }

    /// The 16-bit form, or nil if the UUID has none.
    public var short: UInt16? {
        guard low == Self.baseLow, high & 0xFFFF_0000_FFFF_FFFF == Self.baseHigh else { return nil }
        return UInt16(truncatingIfNeeded: high >> 32)
    }

    /// The 32-bit form, or nil if the UUID has none. 16-bit UUIDs have one too.
    package var short32: UInt32? {
        guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return nil }
        return UInt32(truncatingIfNeeded: high >> 32)
    }

    /// All 128 bits as BlueZ writes them: lowercase, with hyphens.
    public var fullString: String { fullString(letters: UInt8(ascii: "a") - 10) }

    /// - Parameter letters: what a digit above 9 is added to.
    private func fullString(letters: UInt8) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
            let half = index < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (index % 16)) & 0xF)
            text.append(digit + (digit < 10 ? UInt8(ascii: "0") : letters))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Orders UUIDs by value.
    public static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension BluetoothUUID: CustomStringConvertible {
    /// Four uppercase digits for 16-bit UUIDs; otherwise all 128 bits, uppercase, with hyphens, as CoreBluetooth writes
    /// them.
    public var description: String {
        guard let short else { return fullString(letters: UInt8(ascii: "A") - 10) }
        return String(hexadecimal: short, digits: 4, uppercase: true)
    }
}

extension BluetoothUUID: ExpressibleByStringLiteral {
    /// Creates a UUID from a literal: `let service: BluetoothUUID = "F000AA00-0451-4000-B000-000000000000"`.
    ///
    /// A literal that is not a UUID stops the program, like an array index out of range. For text from elsewhere, use
    /// `init(_:)`, which returns nil.
    public init(stringLiteral text: String) {
        guard let uuid = Self(text) else { preconditionFailure("\"\(text)\" is not a UUID") }
        self = uuid
    }
}

extension BluetoothUUID: Codable {
    /// Reads the text of a UUID in any of its forms.
    public init(from decoder: any Decoder) throws {
        self = try decoder.readText("a UUID") { Self($0) }
    }

    /// Writes the UUID in the form of `description`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension BluetoothUUID: ExpressibleByIntegerLiteral {
    /// Creates a 16-bit UUID from a literal: `let battery: BluetoothUUID = 0x180F`.
    public init(integerLiteral value: UInt16) {
        self.init(value)
    }
}
