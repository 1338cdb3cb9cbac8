import CoreBlueZ

/// A 16-bit cyclic redundancy check with the polynomial of CCITT, x^16 + x^12 + x^5 + 1 (0x1021), or another.
///
/// The names are those of the catalogue of parametrised CRC algorithms (reveng.sourceforge.io). Its check value is the
/// checksum of the nine bytes "123456789".
public struct CRC16: Hashable, Sendable, CustomStringConvertible {
    /// The polynomial, without x^16, the highest power first.
    public let polynomial: UInt16
    /// The initial value of the register, in the order of the polynomial.
    public let initialValue: UInt16
    /// Whether bytes are processed, and the checksum is returned, with the lowest bit first.
    public let isReflected: Bool
    private let table: [UInt16]

    /// CRC-16/IBM-3740, often called CCITT-FALSE: initial value 0xFFFF, not reflected; check value 0x29B1.
    public static let ccittFalse = CRC16(initialValue: 0xFFFF)
    /// CRC-16/XMODEM: initial value 0x0000, not reflected; check value 0x31C3.
    public static let xmodem = CRC16(initialValue: 0x0000)
    /// CRC-16/KERMIT, the true CCITT: initial value 0x0000, reflected; check value 0x2189.
    public static let kermit = CRC16(initialValue: 0x0000, isReflected: true)

    /// Creates another check, without a final exclusive or.
    public init(polynomial: UInt16 = 0x1021, initialValue: UInt16, isReflected: Bool = false) {
        self.polynomial = polynomial
        self.initialValue = initialValue
        self.isReflected = isReflected
        table = (0..<256).map { byte in
            if isReflected {
                (0..<8).reduce(UInt16(byte)) { value, _ in
                    value & 1 == 0 ? value >> 1 : value >> 1 ^ polynomial.bitsReversed
                }
            } else {
                (0..<8).reduce(UInt16(byte) << 8) { value, _ in
                    value & 0x8000 == 0 ? value << 1 : value << 1 ^ polynomial
                }
            }
        }
    }

    /// The name in the catalogue, or the parameters.
    public var description: String {
        switch self {
        case .ccittFalse: "CRC-16/IBM-3740"
        case .xmodem: "CRC-16/XMODEM"
        case .kermit: "CRC-16/KERMIT"
        default:
            "CRC-16 with the polynomial 0x\(String(hexadecimal: polynomial, digits: 4, uppercase: true)) and the initial value "
                + "0x\(String(hexadecimal: initialValue, digits: 4, uppercase: true))\(isReflected ? ", reflected" : "")"
        }
    }

    /// Returns the checksum of the bytes.
    public func checksum(of bytes: some Sequence<UInt8>) -> UInt16 {
        if isReflected {
            bytes.reduce(initialValue.bitsReversed) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
        } else {
            bytes.reduce(initialValue) { $0 << 8 ^ table[Int(UInt8($0 >> 8) ^ $1)] }
        }
    }
}

extension UInt16 {
    fileprivate var bitsReversed: UInt16 {
        (0..<16).reduce(0) { $0 << 1 | (self >> $1 & 1) }
    }
}
