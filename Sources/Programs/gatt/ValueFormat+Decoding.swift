import BlueZJSONLine
import BlueZPrintableText
import BlueZScript
import CoreBlueZ
import FoundationEssentials

extension ValueFormat {
    /// Decodes a value. Several numbers become a list.
    ///
    /// - Throws: `data` if the value does not match the format.
    func decode(_ data: Data) throws(CommandFailure) -> JSONValue {
        let bytes = [UInt8](data)
        switch self {
        case .auto, .hex, .raw: return .text(Self.hex(data))
        case .base64: return .text(data.base64EncodedString())
        case .utf8:
            guard let text = String(validating: bytes, as: UTF8.self) else { throw misfit(data, "is not UTF-8") }
            return .text(text)
        case .boolean:
            guard bytes.count == 1, bytes[0] <= 1 else { throw misfit(data, "is neither 00 nor 01") }
            return .boolean(bytes[0] == 1)
        case .integer(let isSigned, let bits, let isBigEndian):
            return try decode(bytes, size: bits / 8, isBigEndian) { raw in
                guard isSigned else { return .unsigned(raw) }
                return .integer(Int64(bitPattern: raw << UInt64(64 - bits)) >> Int64(64 - bits))
            }
        case .float(let bits, let isBigEndian):
            return try decode(bytes, size: bits / 8, isBigEndian) { raw in
                .number(
                    bits == 32
                        ? Self.shortest(Float(bitPattern: UInt32(truncatingIfNeeded: raw))) : Double(bitPattern: raw))
            }
        case .medicalFloat(let bits):
            return try decode(bytes, size: bits / 8, false) { raw in
                switch MedicalFloat(Int64(truncatingIfNeeded: raw), bits: bits) {
                case .number(let number): .number(number.double)
                case .notANumber: .number(.nan)
                case .positiveInfinity: .number(.infinity)
                case .negativeInfinity: .number(-.infinity)
                case .notAtThisResolution: "nres"
                case .reserved: "reserved"
                }
            }
        }
    }

    private func decode(
        _ bytes: [UInt8],
        size: Int,
        _ isBigEndian: Bool,
        _ number: (UInt64) -> JSONValue
    ) throws(CommandFailure) -> JSONValue {
        guard !bytes.isEmpty, bytes.count % size == 0 else {
            throw misfit(Data(bytes), "has \(bytes.count) bytes, not \(size) or a multiple")
        }
        let values = stride(from: 0, to: bytes.count, by: size).map { start in
            let part = bytes[start..<start + size]
            let raw = (isBigEndian ? Array(part) : part.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return number(raw)
        }
        return values.count == 1 ? values[0] : .list(values)
    }

    /// The double with the float's shortest decimal form: 0.1, not 0.10000000149011612.
    private static func shortest(_ value: Float) -> Double {
        Double(value.description) ?? Double(value)
    }

    private func misfit(_ data: Data, _ reason: String) -> CommandFailure {
        CommandFailure(.data, "The value \(Self.hex(data)) \(reason): it cannot be shown as \(name)")
    }

    /// Two lowercase digits per byte.
    static func hex(_ data: Data) -> String { String(hexadecimal: data) }
}
