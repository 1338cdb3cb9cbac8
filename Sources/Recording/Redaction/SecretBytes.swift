import FoundationEssentials
import PrintableText

/// Finds texts and addresses in bytes, in all spellings that programs use, and replaces them with others of the same
/// length.
struct SecretBytes {
    /// Bytes that must match exactly, and those for which the case of ASCII letters doesn't matter.
    private var exact: [[UInt8]: [UInt8]] = [:]
    private var folded: [[UInt8]: [UInt8]] = [:]
    /// The lengths of either, the longest first.
    private var lengths: [Int] = []
    /// Whether a secret begins with these two bytes.
    private var beginnings = [Bool](repeating: false, count: 1 << 16)

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
        guard exact.updateValue(new, forKey: bytes) == nil else { return }
        added(bytes)
    }

    private mutating func insert(folded bytes: [UInt8], _ new: [UInt8]) {
        guard folded.updateValue(new, forKey: bytes) == nil else { return }
        added(bytes)
        // Its beginning may be in capitals.
        for first in [bytes[0], Self.uppercase(bytes[0])] {
            for second in [bytes[1], Self.uppercase(bytes[1])] { beginnings[Int(first) << 8 | Int(second)] = true }
        }
    }

    private mutating func added(_ bytes: [UInt8]) {
        beginnings[Int(bytes[0]) << 8 | Int(bytes[1])] = true
        guard !lengths.contains(bytes.count) else { return }
        lengths.append(bytes.count)
        lengths.sort(by: >)
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 32 : byte }
    private static func uppercase(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte - 32 : byte }

    // MARK: Replacing

    /// Returns the bytes with all secrets replaced.
    func replacing(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        var position = 0
        while position + 1 < bytes.count {
            defer { position += 1 }
            guard beginnings[Int(bytes[position]) << 8 | Int(bytes[position + 1])] else { continue }
            for length in lengths where position + length <= bytes.count {
                let part = Array(bytes[position..<position + length])
                guard let new = exact[part] ?? folded[part.map(Self.lowercase)] else { continue }
                result.replaceSubrange(position..<position + length, with: new)
                position += length - 1
                break
            }
        }
        return result
    }

    /// Returns the text with all secrets replaced.
    func replacing(_ text: String) -> String {
        String(decoding: replacing(Array(text.utf8)), as: UTF8.self)
    }
}
