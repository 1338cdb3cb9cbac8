/// The layout of a characteristic's value: a table, whose rows say what its bytes mean.
struct GATTLayout: Sendable {
    /// The number of bytes with flags, with which the value begins.
    var flags = 0
    /// Whether the value has several fields of equal rank.
    var isStructure = true
    /// What follows the flags, in order. A row that takes bits of the last word can stand anywhere before the next word.
    let rows: [Row]

    struct Row: Sendable {
        /// Nil if other rows take its bits, or nothing uses it.
        var name: GATTValue.Name?
        let place: Place
        var form = Form.unsigned
        /// What precedes the content for people; by default, the words of the name.
        var label: String?
        var unit: String?
        var scale = Scale()
        /// The integers that are readings; by default, all without a special meaning.
        var range: ClosedRange<Int64>?
        /// What some integers mean in place of a reading.
        var special: [Int64: String] = [:]
        /// The integer of which people needn't be told.
        var usual: Int64?
        /// The flags with which the value has the row.
        var condition = Condition()
    }

    enum Place: Sendable {
        /// So many bytes.
        case bytes(Int)
        /// So many bytes for each of several numbers.
        case list(of: Int, count: Int)
        /// So many bytes for each number, to the end of the value.
        case rest(of: Int)
        /// So many bytes, of which the rows after it take bits.
        case word(Int)
        /// Bits of the last word, or of the flags if none came.
        case bits(ClosedRange<Int>)
    }

    enum Form: Sendable {
        case unsigned, signed
        /// A medfloat16 or, in four bytes, a medfloat32 (IEEE 11073-20601).
        case medical
        /// A date with a time, in 7 bytes, or in 9 as in Exact Time 256.
        case time
        /// A bit, and how people are told that it is set, and that it isn't.
        case boolean(String, String)
        /// An integer with these meanings, and no others.
        case choice([Int64: String])
        /// Bits with these meanings, by their number.
        case names([Int: String])
    }

    /// How an integer becomes a number: it is multiplied by `factor` and ten to the power of `exponent`, and halved
    /// `halvings` times. If it is halved, it is rounded to `decimals`.
    struct Scale: Sendable {
        var factor: Int64 = 1
        var exponent = 0
        var halvings = 0
        var decimals = 0

        func number(_ integer: Int64) -> GATTNumber {
            guard halvings > 0 else { return GATTNumber(integer * factor, exponent: exponent) }
            let multiplied = (0..<exponent + decimals).reduce(integer * factor) { number, _ in number * 10 }
            return GATTNumber((multiplied + 1 << Int64(halvings - 1)) >> Int64(halvings), exponent: -decimals)
        }

        static func decimals(_ count: Int) -> Scale { Scale(exponent: -count) }
        static func power(_ exponent: Int) -> Scale { Scale(exponent: exponent) }
        static func halved(_ halvings: Int, _ decimals: Int, power exponent: Int = 0) -> Scale {
            Scale(exponent: exponent, halvings: halvings, decimals: decimals)
        }
    }

    /// What the flags must be.
    struct Condition: Sendable {
        var mask: UInt64 = 0
        var bits: UInt64 = 0

        func holds(_ flags: UInt64) -> Bool { flags & mask == bits }

        static func set(_ bit: Int) -> Condition { Condition(mask: 1 << UInt64(bit), bits: 1 << UInt64(bit)) }
        static func clear(_ bit: Int) -> Condition { Condition(mask: 1 << UInt64(bit)) }
        static func and(_ left: Condition, _ right: Condition) -> Condition {
            Condition(mask: left.mask | right.mask, bits: left.bits | right.bits)
        }
    }

    /// A value that is one number, or several of one kind.
    static func single(
        _ name: GATTValue.Name, _ place: Place, _ form: Form = .unsigned, _ unit: String? = nil,
        _ scale: Scale = Scale(),
        range: ClosedRange<Int64>? = nil, special: [Int64: String] = [:]
    ) -> GATTLayout {
        GATTLayout(
            isStructure: false,
            rows: [
                Row(
                    name: name, place: place, form: form, label: "", unit: unit, scale: scale, range: range,
                    special: special)
            ])
    }

    /// The layout of the characteristic with this number; nil if it isn't known.
    static func of(_ number: UInt16) -> GATTLayout? {
        sensor(number) ?? device(number) ?? health(number) ?? glucose(number) ?? pulseOximeter(number)
            ?? cycling(number)
    }
}

extension GATTLayout.Row {
    /// A row that the value has with some flags.
    static func row(
        _ name: GATTValue.Name, _ place: GATTLayout.Place, _ form: GATTLayout.Form = .unsigned, label: String? = nil,
        unit: String? = nil, _ scale: GATTLayout.Scale = .init(), range: ClosedRange<Int64>? = nil,
        special: [Int64: String] = [:], usual: Int64? = nil, if condition: GATTLayout.Condition = .init()
    ) -> GATTLayout.Row {
        GATTLayout.Row(
            name: name, place: place, form: form, label: label, unit: unit, scale: scale, range: range,
            special: special, usual: usual, condition: condition)
    }

    /// Bytes of which the rows after it take bits.
    static func word(_ size: Int, if condition: GATTLayout.Condition = .init()) -> GATTLayout.Row {
        GATTLayout.Row(place: .word(size), condition: condition)
    }
}
