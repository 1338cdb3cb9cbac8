import ArgumentParser

/// The text format of a value.
enum ValueFormat: Hashable, Sendable {
    /// Given by the assigned number of the attribute. For reading only.
    case auto
    case raw
    case hex
    case utf8
    case base64
    case boolean
    case integer(isSigned: Bool, bits: Int, isBigEndian: Bool)
    case float(bits: Int, isBigEndian: Bool)
    /// The decimal numbers of medical devices, in 16 or 32 bits.
    case medicalFloat(bits: Int)

    private static let widths = [8, 16, 24, 32, 48, 64]

    /// All formats with their names, in the order for users.
    static let named: [(name: String, format: ValueFormat)] = {
        var list: [(String, ValueFormat)] = [
            ("auto", .auto), ("hex", .hex), ("utf8", .utf8), ("base64", .base64), ("raw", .raw), ("bool", .boolean),
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
        // The name of the Bluetooth SIG comes first, then that of IEEE 11073.
        list += [
            ("medfloat16", .medicalFloat(bits: 16)), ("sfloat", .medicalFloat(bits: 16)),
            ("medfloat32", .medicalFloat(bits: 32)),
        ]
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
