import BlueZPrintableText

extension GATTLayout {
    /// The fields of a value.
    func fields(of bytes: [UInt8]) throws(GATTValueError) -> [GATTValue.Field] {
        var rest = bytes[...]
        guard let flags = rest.removePrefix(self.flags).map(Self.integer) else {
            throw Self.wrongLength(bytes, rows)
        }
        var word = flags
        var fields: [GATTValue.Field] = []
        func next(_ size: Int) throws(GATTValueError) -> [UInt8] {
            guard let part = rest.removePrefix(size) else { throw Self.wrongLength(bytes, rows) }
            return part
        }
        for row in rows where row.condition.holds(flags) {
            switch row.place {
            case .word(let size): word = Self.integer(try next(size))
            case .bits(let range):
                let bits = word >> UInt64(range.lowerBound) & ((1 << UInt64(range.count)) - 1)
                fields += row.field(Self.littleEndian(bits, (range.count + 7) / 8))
            case .bytes(let size): fields += row.field(try next(size))
            case .list(let size, let count): fields += row.field(try next(size * count), each: size)
            case .rest(let size): fields += row.field(try next(rest.count / size * size), each: size)
            }
        }
        guard rest.isEmpty else { throw Self.wrongLength(bytes, rows) }
        return fields
    }

    private static func wrongLength(_ bytes: [UInt8], _ rows: [Row]) -> GATTValueError {
        let count = bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
        let size: Int? =
            switch rows.count == 1 ? rows[0].place : nil {
            case .bytes(let size): size
            case .list(let size, let count): size * count
            default: nil
            }
        return GATTValueError(
            reason: size.map { "\(count) instead of \($0)" } ?? "a length of \(count) does not match the flags")
    }

    /// The least significant byte is the first.
    fileprivate static func integer(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func littleEndian(_ integer: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: integer >> UInt64(8 * $0)) }
    }
}

extension GATTLayout.Row {
    fileprivate func field(_ bytes: [UInt8]) -> [GATTValue.Field] {
        field(content(of: bytes), isUsual: usual == integer(bytes))
    }

    /// The numbers of so many bytes each.
    fileprivate func field(_ bytes: [UInt8], each size: Int) -> [GATTValue.Field] {
        let numbers = stride(from: 0, to: bytes.count, by: size).map { start in
            scale.number(integer(Array(bytes[start..<start + size])))
        }
        return field(.numbers(numbers), isUsual: false)
    }

    /// None if the row has no name.
    private func field(_ content: GATTValue.Content, isUsual: Bool) -> [GATTValue.Field] {
        guard let name else { return [] }
        let isNumber =
            switch content {
            case .number, .numbers: true
            default: false
            }
        return [
            GATTValue.Field(
                name: name, content: content, unit: isNumber ? unit : nil, label: label ?? name.words, isUsual: isUsual)
        ]
    }

    private func integer(_ bytes: [UInt8]) -> Int64 {
        let unsigned = GATTLayout.integer(bytes)
        guard case .signed = form else { return Int64(truncatingIfNeeded: unsigned) }
        let unused = Int64(64 - 8 * bytes.count)
        return Int64(bitPattern: unsigned << UInt64(unused)) >> unused
    }

    /// What the bytes of one field say.
    private func content(of bytes: [UInt8]) -> GATTValue.Content {
        let integer = integer(bytes)
        if let meaning = special[integer] { return .special(meaning) }
        switch form {
        case .unsigned, .signed:
            guard range?.contains(integer) != false else { return .invalid(bytes, reason: outOfRange(integer)) }
            return .number(scale.number(integer))
        case .medical:
            switch MedicalFloat(integer, bits: 8 * bytes.count) {
            case .number(let number):
                return .number(GATTNumber(number.significand, exponent: number.exponent + scale.exponent))
            case .reserved: return .invalid(bytes, reason: Self.reserved)
            case let special: return .special(special.description)
            }
        case .time: return GATTValue.Content(time: bytes)
        case .boolean(let yes, let no): return .boolean(integer != 0, integer != 0 ? yes : no)
        case .choice(let choices):
            return choices[integer].map { .choice(Int(integer), $0) } ?? .invalid(bytes, reason: Self.reserved)
        case .names(let names):
            return .names(names.sorted { $0.key < $1.key }.filter { integer >> Int64($0.key) & 1 != 0 }.map(\.value))
        }
    }

    private static let reserved = "reserved for future use"

    private func outOfRange(_ integer: Int64) -> String {
        guard let range else { return Self.reserved }
        let unit = unit.map { " \($0)" } ?? ""
        return "\(scale.number(integer)) is not in the range "
            + "\(scale.number(range.lowerBound)) to \(scale.number(range.upperBound))\(unit)"
    }
}

extension ArraySlice<UInt8> {
    /// Removes the first bytes and returns them; nil if there are too few.
    fileprivate mutating func removePrefix(_ size: Int) -> [UInt8]? {
        guard count >= size else { return nil }
        defer { removeFirst(size) }
        return Array(prefix(size))
    }
}

extension GATTValue.Name {
    /// Its words, for people.
    fileprivate var words: String {
        rawValue.reduce(into: "") { words, letter in
            words += letter.isUppercase ? " " + letter.lowercased() : "\(letter)"
        }
    }
}
