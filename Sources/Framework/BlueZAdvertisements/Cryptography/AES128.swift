/// AES with a key of 128 bits, in the encrypting direction (FIPS 197).
///
/// It is for a few short advertisements with keys that a user has entered. The time that it takes depends on the key,
/// because it looks bytes up in a table: don't use it where others who run programs on the same processor may not learn
/// the key.
public struct AES128: BlockCipher {
    /// The round keys (FIPS 197, 5.2): the key, and one for each of the ten rounds.
    let roundKeys: [SIMD16<UInt8>]

    /// Creates the cipher with a key.
    public init(key: SIMD16<UInt8>) {
        var keys = [key]
        var last = key
        var constant: UInt8 = 1
        for _ in 1...10 {
            var next = last
            // The last word is rotated by a byte.
            for index in 0..<4 { next[index] ^= Self.substitution[Int(last[12 + (index + 1) % 4])] }
            next[0] ^= constant
            for index in 4..<16 { next[index] ^= next[index - 4] }
            keys.append(next)
            last = next
            constant = Self.doubled(constant)
        }
        roundKeys = keys
    }

    /// Returns the encrypted block (FIPS 197, 5.1).
    public func encrypt(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> {
        let table = Self.substitution
        var state = block ^ roundKeys[0]
        for round in 1...10 {
            var shifted = SIMD16<UInt8>()
            // Row r of the state, which is stored by columns, moves r places to the left.
            for index in 0..<16 { shifted[index] = table[Int(state[(index + 4 * (index % 4)) % 16])] }
            state = (round < 10 ? Self.mixed(shifted) : shifted) ^ roundKeys[round]
        }
        return state
    }

    /// Multiplies each column by the polynomial 3x³ + x² + x + 2 (FIPS 197, 5.1.3).
    private static func mixed(_ state: SIMD16<UInt8>) -> SIMD16<UInt8> {
        var result = SIMD16<UInt8>()
        for column in stride(from: 0, to: 16, by: 4) {
            let (a, b, c, d) = (state[column], state[column + 1], state[column + 2], state[column + 3])
            let all = a ^ b ^ c ^ d
            result[column] = a ^ all ^ doubled(a ^ b)
            result[column + 1] = b ^ all ^ doubled(b ^ c)
            result[column + 2] = c ^ all ^ doubled(c ^ d)
            result[column + 3] = d ^ all ^ doubled(d ^ a)
        }
        return result
    }

    /// Multiplies by x modulo x⁸ + x⁴ + x³ + x + 1 (FIPS 197, 4.2.1).
    private static func doubled(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte >> 7) &* 0x1B }

    /// The substitution of bytes (FIPS 197, 5.1.1): the inverse in the field, then an affine transformation.
    static let substitution: [UInt8] = {
        // The powers of x + 1 are all elements but 0.
        var powers: [UInt8] = []
        var power: UInt8 = 1
        for _ in 0..<255 {
            powers.append(power)
            power ^= doubled(power)
        }
        // 0 has no inverse and stands for itself.
        var table = [UInt8](repeating: 0x63, count: 256)
        for (exponent, element) in powers.enumerated() {
            let inverse = powers[(255 - exponent) % 255]
            var sum = inverse ^ 0x63
            for places in 1...4 as ClosedRange<UInt8> { sum ^= inverse << places | inverse >> (8 - places) }
            table[Int(element)] = sum
        }
        return table
    }()
}
