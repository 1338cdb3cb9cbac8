/// The names that the Bluetooth SIG has assigned to numbers.
///
/// The names are string literals, which are read in place. They cost nothing until you request a name, which takes a
/// binary search.
public enum AssignedNumbers {
    /// Returns the company with an identifier, as in manufacturer data: "Texas Instruments Inc." for 0x000D. Nil if the
    /// identifier is unknown.
    public static func companyName(_ identifier: UInt16) -> String? {
        name(of: identifier, in: companies1) ?? name(of: identifier, in: companies2)
            ?? name(of: identifier, in: companies3)
    }

    /// Returns the kind of a device, from its appearance: "Sports Watch" for 0x00C1. If only the category (the upper
    /// ten bits) is known, returns its name. Nil if the category is unknown too.
    public static func appearanceName(_ appearance: UInt16) -> String? {
        name(of: appearance, in: appearances) ?? name(of: appearance & ~0x3F, in: appearances)
    }

    /// Searches entries of four hexadecimal digits, a name, and a tilde, ordered by number.
    static func name(of number: UInt16, in entries: String) -> String? {
        let text = entries.utf8.span
        var (lower, upper) = (0, text.count)
        while lower < upper {
            var start = (lower + upper) / 2
            while start > lower, text[start - 1] != separator { start -= 1 }
            var end = start
            while end < upper, text[end] != separator { end += 1 }
            guard end - start >= 4 else { return nil }
            let found = digits(text[start], text[start + 1], text[start + 2], text[start + 3])
            if found == number {
                var name: [UInt8] = []
                for index in start + 4..<end { name.append(text[index]) }
                return String(decoding: name, as: UTF8.self)
            }
            if found < number { lower = end + 1 } else { upper = start }
        }
        return nil
    }

    private static let separator = UInt8(ascii: "~")

    private static func digits(_ digits: UInt8...) -> UInt16 {
        digits.reduce(0) { number, digit in
            number << 4 | UInt16(digit <= UInt8(ascii: "9") ? digit &- 48 : digit &- 55) & 0xF
        }
    }
}

extension BluetoothUUID {
    /// The name that the Bluetooth SIG has assigned to the UUID of a service, characteristic or descriptor, such as
    /// "Battery Level" for 0x2A19, or to a company's service. Nil if the UUID is unknown.
    public var name: String? {
        short.flatMap { AssignedNumbers.name(of: $0, in: AssignedNumbers.attributes) }
    }
}
