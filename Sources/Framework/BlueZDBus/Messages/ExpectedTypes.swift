/// The types that may be appended next at one level of a message. libdbus aborts the program if a value does not fit
/// its container, so a writer checks the types first.
struct ExpectedTypes {
    enum Rule {
        /// Any complete types, as at the top level and in a structure there.
        case anything
        /// Exactly the given types, as in a variant and in a structure or entry of known type.
        case once
        /// The given type any number of times, as in an array.
        case repeated
    }

    private let rule: Rule
    private(set) var types: [UInt8]
    private var position = 0

    init(_ rule: Rule, _ signature: String) {
        self.rule = rule
        types = Array(signature.utf8)
    }

    private init(_ rule: Rule, _ types: ArraySlice<UInt8>) {
        self.rule = rule
        self.types = Array(types)
    }

    /// Skips a basic type or a variant.
    mutating func skip(_ code: CInt) throws(DBusError) {
        guard rule != .anything else { return try record([UInt8(truncatingIfNeeded: code)]) }
        rewind()
        guard position < types.count, CInt(types[position]) == code else { throw mismatch(TypeCode.name(code)) }
        position += 1
    }

    /// Skips an array of the given elements.
    mutating func takeArray(of elements: String) throws(DBusError) {
        guard rule != .anything else { return try record([UInt8(ascii: "a")] + Array(elements.utf8)) }
        rewind()
        let count = elements.utf8.count + 1
        guard types.count - position >= count, types[position] == UInt8(ascii: "a"),
            types[(position + 1)..<(position + count)].elementsEqual(elements.utf8)
        else { throw mismatch("'a\(elements)'") }
        position += count
    }

    /// Returns the types that may be appended inside the structure or dictionary entry that begins here.
    mutating func beginGroup(_ code: CInt) throws(DBusError) -> ExpectedTypes {
        let isEntry = code == TypeCode.dictionaryEntry
        guard rule != .anything else {
            guard !isEntry else { throw .invalidArguments("A dictionary entry must be inside a dictionary") }
            return ExpectedTypes(.anything, [])
        }
        rewind()
        guard position < types.count, types[position] == UInt8(ascii: isEntry ? "{" : "("), let end = groupEnd else {
            throw mismatch(isEntry ? "a dictionary entry" : "a structure")
        }
        return ExpectedTypes(.once, types[(position + 1)..<end])
    }

    /// Skips a structure or entry with everything that was appended inside.
    mutating func endGroup(_ inner: ExpectedTypes) throws(DBusError) {
        try inner.checkComplete()
        guard rule != .anything else {
            try record([UInt8(ascii: "(")] + inner.types + [UInt8(ascii: ")")])
            return try Names.check(signature: String(decoding: types, as: UTF8.self))
        }
        position += inner.types.count + 2
    }

    /// Throws if a container cannot end here.
    func checkComplete() throws(DBusError) {
        let isComplete =
            switch rule {
            case .anything: !types.isEmpty
            case .once: position == types.count
            case .repeated: true
            }
        guard !isComplete else { return }
        let missing = String(decoding: types[position...], as: UTF8.self)
        throw .invalidArguments(
            missing.isEmpty ? "D-Bus has no empty structures" : "A container lacks values of type '\(missing)'")
    }

    private mutating func rewind() {
        if rule == .repeated, position == types.count { position = 0 }
    }

    private mutating func record(_ type: [UInt8]) throws(DBusError) {
        guard types.count + type.count <= 255 else {
            throw .invalidArguments("The signature of a D-Bus message can have at most 255 characters")
        }
        types += type
    }

    private func mismatch(_ found: String) -> DBusError {
        let expected = String(decoding: types, as: UTF8.self)
        return .invalidArguments("A value of type \(found) does not fit into a container of '\(expected)'")
    }

    private var groupEnd: Int? {
        var depth = 0
        for index in position..<types.count {
            switch types[index] {
            case UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            if depth == 0 { return index }
        }
        return nil
    }
}
