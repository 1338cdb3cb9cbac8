import BlueZScript
import CoreBlueZ
import FoundationEssentials

extension ValueFormat {
    /// Encodes a typed value. It may have several numbers or truth values, separated by spaces or commas.
    func encode(_ text: String) throws(CommandFailure) -> Data {
        switch self {
        case .raw, .utf8: return Data(text.utf8)
        // auto has no encoding; `write` refuses it.
        case .hex, .auto: return try Self.bytes(hex: text)
        case .base64:
            guard let data = Data(base64Encoded: text) else { throw misfit(text, "is not base64") }
            return data
        case .boolean:
            return Data(try items(text).map { (item) throws(CommandFailure) in try encodeBoolean(item) })
        case .integer(let isSigned, let bits, let isBigEndian):
            var data = Data()
            for item in try items(text) {
                data += ordered(try encodeInteger(item, isSigned, bits), bits / 8, isBigEndian)
            }
            return data
        case .float(let bits, let isBigEndian):
            var data = Data()
            for item in try items(text) {
                data += ordered(try encodeFloat(item, bits), bits / 8, isBigEndian)
            }
            return data
        case .medicalFloat(let bits):
            var data = Data()
            for item in try items(text) { data += ordered(try encodeMedicalFloat(item, bits), bits / 8, false) }
            return data
        }
    }

    private func items(_ text: String) throws(CommandFailure) -> [String] {
        let items = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
        guard !items.isEmpty else { throw misfit(text, "is empty") }
        return items
    }

    private func encodeBoolean(_ text: String) throws(CommandFailure) -> UInt8 {
        switch text.lowercased() {
        case "true", "1", "on", "yes": 1
        case "false", "0", "off", "no": 0
        default: throw misfit(text, "is neither true nor false")
        }
    }

    private func encodeInteger(_ text: String, _ isSigned: Bool, _ bits: Int) throws(CommandFailure) -> UInt64 {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let isHexadecimal = digits.lowercased().hasPrefix("0x")
        let magnitude = isHexadecimal ? digits.dropFirst(2) : digits
        guard magnitude.first?.isHexDigit == true, let number = UInt64(magnitude, radix: isHexadecimal ? 16 : 10)
        else { throw misfit(text, "is not a number of at most 64 bits") }
        let limit = isSigned ? UInt64(1) << UInt64(bits - 1) : UInt64.max >> UInt64(64 - bits)
        let isInRange =
            isSigned ? (isNegative ? number <= limit : number < limit) : (isNegative ? number == 0 : number <= limit)
        guard isInRange else {
            let range = isSigned ? "-\(limit) to \(limit - 1)" : "0 to \(limit)"
            throw misfit(text, "is not in the range \(range)")
        }
        return isNegative ? 0 &- number : number
    }

    private func encodeFloat(_ text: String, _ bits: Int) throws(CommandFailure) -> UInt64 {
        guard let value = Double(text), let single = Float(text) else { throw misfit(text, "is not a number") }
        let isInfinite = bits == 32 ? single.isInfinite : value.isInfinite
        guard !isInfinite || text.lowercased().contains("inf") else { throw misfit(text, "is too large") }
        return bits == 32 ? UInt64(single.bitPattern) : value.bitPattern
    }

    private func encodeMedicalFloat(_ text: String, _ bits: Int) throws(CommandFailure) -> UInt64 {
        guard let number = try medicalFloat(text).integer(bits: bits) else {
            throw misfit(text, "has too many digits, or is too large or too small")
        }
        return UInt64(number)
    }

    private func medicalFloat(_ text: String) throws(CommandFailure) -> MedicalFloat {
        switch text.lowercased() {
        case "nan": return .notANumber
        case "nres": return .notAtThisResolution
        case "inf", "+inf", "infinity", "+infinity": return .positiveInfinity
        case "-inf", "-infinity": return .negativeInfinity
        default:
            guard let number = GATTNumber(text) else { throw misfit(text, "is not a number of at most 18 digits") }
            return .number(number)
        }
    }

    private func ordered(_ number: UInt64, _ size: Int, _ isBigEndian: Bool) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    private func misfit(_ text: String, _ reason: String) -> CommandFailure {
        CommandFailure(.data, "The value \"\(text)\" \(reason): it cannot be written as \(name)")
    }

    /// Pairs of digits; spaces, colons and hyphens between them and a leading 0x are skipped.
    static func bytes(hex text: String) throws(CommandFailure) -> Data {
        let parts = text.split { $0.isWhitespace || $0 == ":" || $0 == "-" }
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            let digits = index == 0 && part.lowercased().hasPrefix("0x") ? part.dropFirst(2) : part
            guard !digits.isEmpty, let piece = [UInt8](hexadecimal: digits) else {
                let isOdd = digits.count % 2 != 0 && digits.allSatisfy(\.isHexDigit)
                let reason = isOdd ? "has an odd number of digits" : "is not hexadecimal"
                throw CommandFailure(
                    .data, "The value \"\(text)\" \(reason): write 0a1b, or say what it is with --format")
            }
            bytes += piece
        }
        return Data(bytes)
    }
}
