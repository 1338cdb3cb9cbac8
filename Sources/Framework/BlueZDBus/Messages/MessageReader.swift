/// A reader of the arguments of a message, one after another.
///
/// If the caller knows the types, nothing is boxed: `ay` is one copy of its bytes, and a dictionary is a loop. An
/// unexpected type is a `DBusError`, and the reader's position does not change. A reader reads the message as it was
/// when the reader was created.
public struct MessageReader {
    let contents: MessageContents
    /// The position of the next value, or of the padding before it.
    var offset: Int
    /// The positions of the next value's type code, and of the end of this level's codes.
    var type: Int
    private let typesEnd: Int
    /// The end of the elements in an array. They all have the type that begins at `type`.
    private let elementsEnd: Int?

    init(_ contents: MessageContents) {
        let signature = contents.header.signature
        self.init(
            contents, at: contents.header.end, type: signature.start, typesEnd: signature.start + signature.count)
    }

    init(_ contents: MessageContents, at offset: Int, type: Int, typesEnd: Int, elementsEnd: Int? = nil) {
        self.contents = contents
        self.offset = offset
        self.type = type
        self.typesEnd = typesEnd
        self.elementsEnd = elementsEnd
    }

    var wire: WireBytes { contents.wire }

    /// The next value's type code; 0 at the end.
    var code: UInt8 {
        isAtEnd ? 0 : wire.byte(at: type)
    }

    /// Whether there is nothing more at this level.
    public var isAtEnd: Bool {
        if let elementsEnd { return offset >= elementsEnd }
        return type >= typesEnd
    }

    /// The signature of the next value; empty at the end.
    public var signature: String {
        guard !isAtEnd else { return "" }
        return contents.string(WireBytes.Text(start: type, count: wire.endOfType(at: type) - type))
    }

    /// Skips the next value, of any type. Does nothing at the end.
    public mutating func skip() {
        guard !isAtEnd else { return }
        // An incomplete value, which cannot occur after validation, ends the reading.
        advance(to: wire.endOfValue(type: type, at: offset) ?? wire.count)
    }

    /// Moves to the end of the next value.
    @inline(__always) mutating func advance(to end: Int) {
        offset = end
        if elementsEnd == nil { type = Self.isSingle(wire.byte(at: type)) ? type + 1 : wire.endOfType(at: type) }
    }

    /// Moves to the end of the next value, whose type has this many characters.
    @inline(__always) mutating func advance(to end: Int, typeLength: Int) {
        offset = end
        if elementsEnd == nil { type += typeLength }
    }

    private static func isSingle(_ code: UInt8) -> Bool {
        code != UInt8(ascii: "a") && code != UInt8(ascii: "(") && code != UInt8(ascii: "{")
    }

    @inline(__always) func expect(_ code: Unicode.Scalar) throws(DBusError) {
        guard UInt32(self.code) == code.value else { throw unexpected(code) }
    }

    /// Also throws if the array has no elements.
    func expectArray(of element: Unicode.Scalar, _ name: StaticString) throws(DBusError) {
        try expect("a")
        guard UInt32(wire.byte(at: type + 1)) == element.value else {
            throw .invalidArguments("Expected \(name) in the message, found '\(signature)'")
        }
    }

    private func unexpected(_ code: Unicode.Scalar) -> DBusError {
        .invalidArguments("Expected '\(code)' in the message, found \(isAtEnd ? "nothing" : "'\(signature)'")")
    }

    var truncated: DBusError { .invalidArguments("The message ends inside a value") }
}
