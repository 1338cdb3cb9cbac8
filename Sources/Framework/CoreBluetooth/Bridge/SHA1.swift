/// The digest of FIPS 180-4, which UUIDs of version 5 contain. Not for secrets.
enum SHA1 {
    /// Returns the 20 bytes of the digest.
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        let length = UInt64(message.count) * 8
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) }
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded[start..<start + 64], to: &state) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = (0..<16).map { index in
            block.dropFirst(4 * index).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (mixed, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotate(a, by: 5) &+ mixed &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }

    private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
