import CoreBlueZ
import FoundationEssentials

/// The response of a chip card (ISO/IEC 7816-4): data and two status bytes.
public struct ResponseAPDU: Hashable, Sendable {
    /// The data of the response; empty if it has only a status.
    public let data: Data
    /// The status bytes SW1 and SW2; 0x9000 means success.
    public let status: UInt16

    /// Creates a response from its bytes.
    ///
    /// - Throws: `ExchangeErrorCode.decodeFailed` if there are fewer than two bytes.
    public init(_ bytes: Data) throws(ExchangeError) {
        guard let high = bytes.dropLast().last, let low = bytes.last else {
            throw .failed(.decodeFailed, "A response APDU has at least 2 bytes, this one has \(bytes.count)")
        }
        data = Data(bytes.dropLast(2))
        status = UInt16(lowByte: low, highByte: high)
    }
}

extension ResponseAPDU: CustomStringConvertible {
    /// The status and the masked data.
    public var description: String {
        let text = String(hexadecimal: status, digits: 4, uppercase: true)
        return data.isEmpty ? text : "\(text) \(maskedData)"
    }

    /// The hexadecimal digits of the data for display. Only the first 6 and the last 4 digits of a card number remain.
    /// Other magnetic stripe data, which chips also contain, are asterisks.
    ///
    /// The data objects 56, 57, 5A, 9F1F, 9F20 and 9F6B are masked (EMV Book 3 and Book C-2). Data that are not a
    /// sequence of data objects (BER-TLV) may contain anything, so all their digits are asterisks.
    public var maskedData: String {
        Self.masked(Array(data)[...]) ?? String(repeating: "*", count: 2 * data.count)
    }

    /// - Returns: nil if the bytes are not a sequence of data objects.
    private static func masked(_ bytes: ArraySlice<UInt8>) -> String? {
        var rest = bytes
        var text = ""
        while let first = rest.first {
            guard first != 0 else {
                // Padding between data objects.
                text += "00"
                rest = rest.dropFirst()
                continue
            }
            guard let object = DataObject(&rest) else { return nil }
            text += hexadecimal(object.header)
            switch object.tag {
            case 0x57, 0x5A, 0x9F6B: text += maskedNumber(hexadecimal(object.value))
            case 0x56, 0x9F1F, 0x9F20: text += String(repeating: "*", count: 2 * object.value.count)
            case _ where object.isConstructed:
                guard let inner = masked(object.value) else { return nil }
                text += inner
            default: text += hexadecimal(object.value)
            }
        }
        return text
    }

    /// Masks a number in decimal digits, which is followed by D and the rest of track 2, or by F as padding.
    private static func maskedNumber(_ digits: String) -> String {
        let count = digits.prefix { !"DF".contains($0) }.count
        let shown = CardNumber.lengths.contains(count) ? [0..<6, (count - 4)..<count] : []
        return String(
            digits.enumerated().map { index, digit in
                "DF".contains(digit) || shown.contains { $0.contains(index) } ? digit : "*"
            })
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        String(hexadecimal: bytes, uppercase: true)
    }
}

/// A data object of a chip card: tag, length and value (BER-TLV, as in EMV Book 3, annex B).
private struct DataObject {
    let tag: UInt32
    let isConstructed: Bool
    /// The bytes of the tag and the length.
    let header: ArraySlice<UInt8>
    let value: ArraySlice<UInt8>

    /// Removes the object at the beginning of the bytes; nil if there is none.
    init?(_ bytes: inout ArraySlice<UInt8>) {
        var rest = bytes
        guard let first = rest.popFirst() else { return nil }
        var tag = UInt32(first)
        if first & 0x1F == 0x1F {
            repeat {
                guard tag <= 0xFF_FFFF, let next = rest.popFirst() else { return nil }
                tag = tag << 8 | UInt32(next)
            } while tag & 0x80 != 0
        }
        guard let short = rest.popFirst() else { return nil }
        var length = Int(short)
        if short >= 0x80 {
            let count = Int(short & 0x7F)
            guard 1...2 ~= count, rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard rest.count >= length else { return nil }
        self.tag = tag
        isConstructed = first & 0x20 != 0
        header = bytes[bytes.startIndex..<rest.startIndex]
        value = rest.prefix(length)
        bytes = rest.dropFirst(length)
    }
}
