/// The bytes of one value, with their length checked once. Multi-byte fields are little-endian.
struct Payload {
    let bytes: [UInt8]

    init(
        _ payload: some Collection<UInt8>,
        of attribute: SensorTagAttribute,
        length expected: SensorTagDataError.ExpectedLength
    ) throws(SensorTagDataError) {
        let count = payload.count
        guard expected.permits(count) else {
            throw .wrongLength(attribute, expected: expected, actual: count)
        }
        bytes = Array(payload)
    }

    func int8(at offset: Int) -> Int8 {
        Int8(bitPattern: bytes[offset])
    }

    func uint16(at offset: Int) -> UInt16 {
        UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
    }

    func int16(at offset: Int) -> Int16 {
        Int16(bitPattern: uint16(at: offset))
    }

    func uint24(at offset: Int) -> UInt32 {
        UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
    }

    func int24(at offset: Int) -> Int32 {
        Int32(bitPattern: uint24(at: offset) << 8) >> 8
    }

    /// Three int16 from `offset` on, each multiplied by `scale`.
    func axes<Reading: ThreeAxisReading>(at offset: Int, scale: Double) -> Reading {
        Reading(
            x: Double(int16(at: offset)) * scale,
            y: Double(int16(at: offset + 2)) * scale,
            z: Double(int16(at: offset + 4)) * scale
        )
    }
}

/// A 16-bit number: mantissa in the lower 12 bits, exponent of two in the upper 4.
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
