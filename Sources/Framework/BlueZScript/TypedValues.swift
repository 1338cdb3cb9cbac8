import CoreBlueZ

extension BluetoothAddress {
    /// Creates an address from what a person typed or copied: twelve hexadecimal digits, all together or in pairs
    /// separated by colons, hyphens or underscores, or the path of BlueZ's object; blanks around it don't matter. Nil
    /// for other text.
    public init?(typed text: String) {
        var bytes = Self.withoutBlanks(text)
        if let device = Self.device(in: bytes) { bytes = device }
        if bytes.count == 12 {
            self.init(
                stride(from: 0, to: 12, by: 2).map { Self.text(bytes.dropFirst($0).prefix(2)) }.joined(separator: ":"))
        } else {
            self.init(Self.text(bytes[...]).replacing("_", with: ":"))
        }
    }

    /// The address in `/org/bluez/hci0/dev_C0_FF_EE_00_00_01`, or in the last component alone.
    private static func device(in path: [UInt8]) -> [UInt8]? {
        let component = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? []
        guard component.starts(with: "dev_".utf8),
            component.count == path.count || path.starts(with: "/org/bluez/".utf8)
        else { return nil }
        return Array(component.dropFirst(4))
    }

    private static func withoutBlanks(_ text: String) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || (9...13).contains(byte) }
        return Array(text.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension BluetoothUUID {
    /// Creates a UUID from what a person typed or copied: the forms of `init(_:)`, also after `0x` or `urn:uuid:`, or in
    /// braces. Nil for other text.
    public init?(typed text: String) {
        let lowercase = text.lowercased()
        if lowercase.hasPrefix("0x") {
            self.init(text.dropFirst(2))
        } else if lowercase.hasPrefix("urn:uuid:") {
            self.init(text.dropFirst(9))
        } else if text.hasPrefix("{"), text.hasSuffix("}"), text.utf8.count > 2 {
            self.init(text.dropFirst().dropLast())
        } else {
            self.init(text)
        }
    }
}

extension Duration {
    /// A century: a longer time is a mistake, and this is still far below the limit of a Duration.
    private static let longest = 3.2e9

    /// Creates a time from what a person typed: a decimal number of seconds, or one with the unit `ms`, `s`, `m` or `h`,
    /// such as 0.5, 500ms or 2m; at most a century.
    ///
    /// - Throws: `CommandFailure` with the status `usage` for other text.
    public init(typed text: String) throws(CommandFailure) {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
        let unit = units.first { text.hasSuffix($0.0) }
        let digits = text.dropLast(unit?.0.count ?? 0)
        let isDecimal = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard isDecimal, let number = Double(digits), number * (unit?.1 ?? 1) <= Self.longest else {
            throw CommandFailure(.usage, "give seconds, or a number with a unit: 0.5, 500ms, 2m, 1h")
        }
        self = .seconds(number * (unit?.1 ?? 1))
    }
}
