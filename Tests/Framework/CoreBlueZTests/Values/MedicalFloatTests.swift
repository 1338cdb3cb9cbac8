import CoreBlueZ
import TestSupport
import Testing

@Suite(.virtualTime) struct MedicalFloatTests {
    private static func number(_ significand: Int64, _ exponent: Int = 0) -> MedicalFloat {
        .number(GATTNumber(significand, exponent: exponent))
    }

    @Test(
        "The numbers and special values of both forms are read and written",
        arguments: [
            (16, 0x0072, number(114)), (16, 0xF16E, number(366, -1)), (16, 0x07FD, number(2045)),
            (16, 0x0803, number(-2045)), (16, 0x07FF, .notANumber), (16, 0x0800, .notAtThisResolution),
            (16, 0x07FE, .positiveInfinity), (16, 0x0802, .negativeInfinity), (16, 0x0801, .reserved),
            (16, 0x17FF, number(2047, 1)), (16, 0xF800, number(-2048, -1)), (16, 0x7001, number(1, 7)),
            (16, 0x8FFF, number(-1, -8)), (16, 0, number(0)),
            (32, 0xFF00_016C, number(364, -1)), (32, 0xFE00_0D97, number(3479, -2)), (32, 0x007F_FFFF, .notANumber),
            (32, 0x0080_0000, .notAtThisResolution), (32, 0x007F_FFFE, .positiveInfinity),
            (32, 0x0080_0002, .negativeInfinity), (32, 0x0080_0001, .reserved),
            (32, 0xFF7F_FFFF, number(8_388_607, -1)), (32, 0x7F00_0001, number(1, 127)),
            (32, 0x80FF_FFFF, number(-1, -128)),
        ] as [(Int, Int64, MedicalFloat)])
    func forms(bits: Int, integer: Int64, value: MedicalFloat) {
        #expect(MedicalFloat(integer, bits: bits) == value)
        #expect(value.integer(bits: bits) == integer)
    }

    @Test(
        "A number is written with another exponent if its digits then fit, and otherwise not at all",
        arguments: [
            (number(20_470), 0x17FF), (number(2046), nil), (number(2048), nil), (number(2_000_000_000), 0x67D0),
            (number(1, 9), 0x7064), (number(1, 11), nil), (number(10, -9), 0x8001), (number(1, -9), nil),
            (number(0, 99), 0), (number(.min), nil), (number(.max, 900), nil),
        ] as [(MedicalFloat, Int64?)])
    func fitting(value: MedicalFloat, integer: Int64?) {
        #expect(value.integer(bits: 16) == integer)
    }

    @Test(
        "Text becomes a number with its digits, and other text none",
        arguments: [
            ("36.60", GATTNumber(3660, exponent: -2)), ("-0.5", GATTNumber(-5, exponent: -1)), ("+7", GATTNumber(7)),
            ("3e20", GATTNumber(3, exponent: 20)), ("1.5E-3", GATTNumber(15, exponent: -4)),
            (".5", GATTNumber(5, exponent: -1)),
            ("5.", GATTNumber(5)), ("", nil), (".", nil), ("x", nil), ("1.-5", nil), ("1.+5", nil), ("1e", nil),
            ("1e1000", nil), ("1.2.3", nil), ("0x10", nil), ("1000000000000000000", nil), ("99999999999999999999", nil),
        ] as [(String, GATTNumber?)])
    func text(text: String, number: GATTNumber?) {
        #expect(GATTNumber(text) == number)
    }
}
