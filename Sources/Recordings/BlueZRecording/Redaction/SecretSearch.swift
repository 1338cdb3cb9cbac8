/// Replaces secrets in bytes by others of the same length: at each place the longest.
struct SecretSearch {
    private let exact: PrefixTable
    private let folded: PrefixTable

    init(_ secrets: SecretBytes) {
        exact = PrefixTable(secrets.exact)
        folded = PrefixTable(secrets.folded)
    }

    /// Returns the bytes with all secrets replaced.
    func replacing(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 1 else { return bytes }
        let lowercase = bytes.map(SecretBytes.lowercase)
        // Most bytes contain no secret.
        let starts = bytes.indices.dropLast().filter { exact.begins(bytes, $0) || folded.begins(lowercase, $0) }
        guard let first = starts.first else { return bytes }
        let (texts, foldedTexts) = (exact.hashes(of: bytes, from: first), folded.hashes(of: lowercase, from: first))
        var result = bytes
        var end = 0
        for position in starts where position >= end {
            let same = exact.match(bytes, texts, position)
            let similar = folded.match(lowercase, foldedTexts, position)
            guard let new = (similar?.count ?? 0) > (same?.count ?? 0) ? similar : same else { continue }
            end = position + new.count
            result.replaceSubrange(position..<end, with: new)
        }
        return result
    }

    /// Returns the text with all secrets replaced.
    func replacing(_ text: String) -> String {
        String(decoding: replacing(Array(text.utf8)), as: UTF8.self)
    }
}

/// Finds the longest of many byte strings at a place, in a time that grows with the logarithm of its length, and not with
/// their number.
///
/// It keeps a hash of each beginning of each string: a polynomial of the bytes modulo 2⁶¹ - 1 at a random point, with which
/// the hash of any part of a text is known from those of its beginnings. The beginnings of a text's part that are known
/// are all up to a length, which is searched.
struct PrefixTable {
    private static let modulus: UInt64 = 1 << 61 - 1

    private let point = UInt64.random(in: 1 << 32..<modulus)
    /// The powers of the point, up to the greatest length.
    private var powers: [UInt64] = [1]
    /// The longest string with which each beginning begins, as a position in `strings`; -1 for none.
    private var beginnings: [UInt64: Int32] = [:]
    /// Whether a string begins with these two bytes.
    private var pairs: [Bool]
    private var strings: [(bytes: [UInt8], new: [UInt8])]

    init(_ replacements: [[UInt8]: [UInt8]]) {
        pairs = [Bool](repeating: false, count: 1 << 16)
        // What a beginning begins with is known when it is added: only shorter strings.
        strings = replacements.filter { $0.key.count > 1 }.map { ($0.key, $0.value) }
        strings.sort { $0.bytes.count < $1.bytes.count }
        for (index, string) in strings.enumerated() {
            pairs[Int(string.bytes[0]) << 8 | Int(string.bytes[1])] = true
            var hash: UInt64 = 0
            var longest: Int32 = -1
            for byte in string.bytes {
                hash = next(hash, byte)
                if let known = beginnings[hash] { longest = known } else { beginnings[hash] = longest }
            }
            beginnings[hash] = Int32(truncatingIfNeeded: index)
        }
        for _ in 0..<(strings.last?.bytes.count ?? 0) { powers.append(Self.product(powers[powers.count - 1], point)) }
    }

    /// Whether a string may be at this place.
    func begins(_ text: [UInt8], _ position: Int) -> Bool {
        pairs[Int(text[position]) << 8 | Int(text[position + 1])]
    }

    /// The hashes of a text's beginnings, by their lengths. Those that are shorter than `first` are 0, as if the text
    /// began there.
    func hashes(of text: [UInt8], from first: Int) -> [UInt64] {
        var hashes = [UInt64](repeating: 0, count: text.count + 1)
        for index in text.indices.dropFirst(first) { hashes[index + 1] = next(hashes[index], text[index]) }
        return hashes
    }

    /// Returns what replaces the longest string at this place; nil if there is none.
    func match(_ text: [UInt8], _ hashes: [UInt64], _ position: Int) -> [UInt8]? {
        func longest(_ length: Int) -> Int32? {
            let hash = hashes[position + length] + Self.modulus - Self.product(hashes[position], powers[length])
            return beginnings[hash >= Self.modulus ? hash - Self.modulus : hash]
        }
        guard begins(text, position) else { return nil }
        // The length up to which beginnings are known, and one from which they are not.
        var (known, unknown) = (1, min(powers.count - 1, text.count - position) + 1)
        var found: Int32 = -1
        var step = 1
        while unknown - known > 1 {
            let length = min(known + step, (known + unknown + 1) / 2)
            if let index = longest(length) {
                (known, found) = (length, index)
                step *= 2
            } else {
                unknown = length
            }
        }
        guard found >= 0 else { return nil }
        let string = strings[Int(found)]
        // Two beginnings could have the same hash.
        return text[position...].starts(with: string.bytes) ? string.new : nil
    }

    private func next(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        let sum = Self.product(hash, point) + UInt64(byte) + 1
        return sum >= Self.modulus ? sum - Self.modulus : sum
    }

    private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        let sum = (low & modulus) + (low >> 61 | high << 3)
        return sum >= modulus ? sum - modulus : sum
    }
}
