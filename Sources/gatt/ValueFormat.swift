import ArgumentParser
import CoreBlueZ

/// How a value is written as text.
enum ValueFormat: Hashable, Sendable {
    case raw
    case hex
    case utf8
    case base64
    case boolean
    case integer(isSigned: Bool, bits: Int, isBigEndian: Bool)
    case float(bits: Int, isBigEndian: Bool)

    private static let widths = [8, 16, 24, 32, 48, 64]

    /// All formats with their names, in the order in which people look for them.
    static let named: [(name: String, format: ValueFormat)] = {
        var list: [(String, ValueFormat)] = [
            ("hex", .hex), ("utf8", .utf8), ("base64", .base64), ("raw", .raw), ("bool", .boolean),
        ]
        for bits in widths {
            for isSigned in [false, true] {
                let letter = isSigned ? "i" : "u"
                for (isBigEndian, order) in bits == 8 ? [(false, "")] : [(false, "le"), (true, "be")] {
                    list.append(
                        ("\(letter)\(bits)\(order)", .integer(isSigned: isSigned, bits: bits, isBigEndian: isBigEndian))
                    )
                }
            }
        }
        for bits in [32, 64] {
            list.append(("f\(bits)le", .float(bits: bits, isBigEndian: false)))
            list.append(("f\(bits)be", .float(bits: bits, isBigEndian: true)))
        }
        return list
    }()

    var name: String {
        Self.named.first { $0.format == self }?.name ?? "hex"
    }
}

extension ValueFormat: ExpressibleByArgument {
    init?(argument: String) {
        guard let format = Self.named.first(where: { $0.name == argument.lowercased() })?.format else { return nil }
        self = format
    }

    static var allValueStrings: [String] { named.map(\.name) }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    var defaultValueDescription: String { name }
}

extension ValueFormat {
    /// The formats of some characteristics and descriptors that the Bluetooth SIG defines (GATT Specification
    /// Supplement); numbers without scale and unit.
    static func known(_ uuid: BluetoothUUID) -> ValueFormat? {
        switch uuid.short {
        case 0x2A00, 0x2A24, 0x2A25, 0x2A26, 0x2A27, 0x2A28, 0x2A29, 0x2901: .utf8
        case 0x2A06, 0x2A19, 0x2A38: .integer(isSigned: false, bits: 8, isBigEndian: false)
        case 0x2A07: .integer(isSigned: true, bits: 8, isBigEndian: false)
        case 0x2A01, 0x2A6F, 0x2902: .integer(isSigned: false, bits: 16, isBigEndian: false)
        case 0x2A6E: .integer(isSigned: true, bits: 16, isBigEndian: false)
        case 0x2A6D: .integer(isSigned: false, bits: 32, isBigEndian: false)
        default: nil
        }
    }
}
