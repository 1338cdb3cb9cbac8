/// A number in 16 bits: mantissa in the lower 12, exponent of two in the upper 4.
struct MantissaExponent {
    let mantissa: UInt32
    let exponent: UInt32

    init(_ word: UInt16) {
        mantissa = UInt32(word & 0x0FFF)
        exponent = UInt32(word >> 12)
    }

    /// The number; at most 4095 * 2^15, which fits.
    var value: UInt32 { mantissa << exponent }
}
