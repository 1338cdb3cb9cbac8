import BlueZPrintableText
import FoundationEssentials

/// Texts and addresses, in all spellings that programs use, each with what replaces it.
struct SecretBytes {
    /// Bytes that must match exactly, and those for which the case of ASCII letters doesn't matter.
    private(set) var exact: [[UInt8]: [UInt8]] = [:]
    private(set) var folded: [[UInt8]: [UInt8]] = [:]

    // MARK: Secrets

    /// Adds the six bytes of an address, the high one first.
    mutating func add(address: [UInt8], replacement: [UInt8]) {
        for (bytes, new) in [(address, replacement), (address.reversed(), replacement.reversed())] {
            addBytes(bytes, new)
            for separator in [":", "_", "-"] {
                insert(folded: Self.spelled(bytes, separator), Self.spelled(new, separator))
            }
        }
    }

    /// Adds a text or a value of three bytes or more.
    mutating func add(text: [UInt8], replacement: [UInt8]) {
        guard text.count >= 3 else { return }
        insert(folded: text.map(Self.lowercase), replacement)
        addBytes(text, replacement)
    }

    /// Bytes as such, in hexadecimal and in Base64.
    private mutating func addBytes(_ bytes: [UInt8], _ new: [UInt8]) {
        insert(exact: bytes, new)
        insert(folded: Self.spelled(bytes, ""), Self.spelled(new, ""))
        // The digits depend on how many bytes are in front.
        for shift in 0..<3 {
            let (old, new) = (Self.base64(bytes, shift), Self.base64(new, shift))
            if old.count >= 4 { insert(exact: old, new) }
        }
    }

    private static func spelled(_ bytes: [UInt8], _ separator: String) -> [UInt8] {
        Array(bytes.map { String(hexadecimal: $0, digits: 2) }.joined(separator: separator).utf8)
    }

    /// The digits that depend on nothing else.
    private static func base64(_ bytes: [UInt8], _ shift: Int) -> [UInt8] {
        let digits = Array(Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString().utf8)
        let (first, end) = ((shift * 8 + 5) / 6, (shift + bytes.count) * 8 / 6)
        return Array(digits[first..<end])
    }

    private mutating func insert(exact bytes: [UInt8], _ new: [UInt8]) {
        if exact[bytes] == nil { exact[bytes] = new }
    }

    private mutating func insert(folded bytes: [UInt8], _ new: [UInt8]) {
        if folded[bytes] == nil { folded[bytes] = new }
    }

    static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 32 : byte }
}
