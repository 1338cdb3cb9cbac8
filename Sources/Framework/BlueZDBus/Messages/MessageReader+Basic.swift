import FoundationEssentials

extension MessageReader {
    /// Reads `y`.
    public mutating func readByte() throws(DBusError) -> UInt8 { try readNumber("y") }
    /// Reads `n`.
    public mutating func readInt16() throws(DBusError) -> Int16 { try readNumber("n") }
    /// Reads `q`.
    public mutating func readUInt16() throws(DBusError) -> UInt16 { try readNumber("q") }
    /// Reads `i`.
    public mutating func readInt32() throws(DBusError) -> Int32 { try readNumber("i") }
    /// Reads `u`.
    public mutating func readUInt32() throws(DBusError) -> UInt32 { try readNumber("u") }
    /// Reads `x`.
    public mutating func readInt64() throws(DBusError) -> Int64 { try readNumber("x") }
    /// Reads `t`.
    public mutating func readUInt64() throws(DBusError) -> UInt64 { try readNumber("t") }
    /// Reads `d`.
    public mutating func readDouble() throws(DBusError) -> Double { try readNumber("d") }

    /// Reads `b`, which has four bytes.
    public mutating func readBoolean() throws(DBusError) -> Bool {
        let value: UInt32 = try readNumber("b")
        return value != 0
    }

    /// Reads `s`.
    public mutating func readString() throws(DBusError) -> String {
        contents.string(try readText("s"))
    }

    /// Reads `s` without creating a string.
    public mutating func readText() throws(DBusError) -> MessageText {
        MessageText(contents, try readText("s"))
    }

    /// Reads `o`.
    public mutating func readObjectPath() throws(DBusError) -> ObjectPath {
        contents.objectPath(try readText("o"))
    }

    /// Reads `g`.
    public mutating func readSignature() throws(DBusError) -> String {
        try expect("g")
        guard let text = wire.signature(at: offset) else { throw truncated }
        advance(to: text.start + text.count + 1)
        return contents.string(text)
    }

    /// Reads `h`: a descriptor of the message, which is closed when its last reference is released. All `h` of a
    /// message with the same index return the same object.
    public mutating func readFileDescriptor() throws(DBusError) -> UnixFileDescriptor {
        try expect("h")
        let start = WireBytes.align(offset, to: 4)
        guard let index = wire.load(UInt32.self, at: start), index < contents.descriptors.count else {
            throw .invalidArguments("A file descriptor did not come with the message")
        }
        advance(to: start + 4)
        return contents.descriptors[Int(index)]
    }

    /// Reads `ay` in one copy.
    public mutating func readBytes() throws(DBusError) -> [UInt8] {
        let bytes = try takeBytes()
        return unsafe wire.withBytes(bytes) { bytes in unsafe [UInt8](bytes) }
    }

    /// Reads `ay` in one copy.
    public mutating func readData() throws(DBusError) -> Data {
        let bytes = try takeBytes()
        return unsafe wire.withBytes(bytes) { bytes in
            guard let start = bytes.baseAddress else { return Data() }
            return unsafe Data(bytes: start, count: bytes.count)
        }
    }

    /// Reads `as`.
    public mutating func readStrings() throws(DBusError) -> [String] {
        try expectArray(of: "s", "an array of strings")
        var strings: [String] = []
        try readArray { (element) throws(DBusError) in strings.append(try element.readString()) }
        return strings
    }

    private mutating func takeBytes() throws(DBusError) -> WireBytes.Text {
        try expectArray(of: "y", "an array of bytes")
        guard let bytes = wire.elements(at: offset, type: UInt8(ascii: "y")) else { throw truncated }
        advance(to: bytes.start + bytes.count, typeLength: 2)
        return bytes
    }

    @inline(__always)
    private mutating func readNumber<T: BitwiseCopyable>(_ code: Unicode.Scalar) throws(DBusError) -> T {
        try expect(code)
        let start = WireBytes.align(offset, to: MemoryLayout<T>.size)
        guard let value = wire.load(T.self, at: start) else { throw truncated }
        advance(to: start + MemoryLayout<T>.size)
        return value
    }

    @inline(__always)
    private mutating func readText(_ code: Unicode.Scalar) throws(DBusError) -> WireBytes.Text {
        try expect(code)
        guard let text = wire.text(at: offset) else { throw truncated }
        advance(to: text.start + text.count + 1)
        return text
    }
}
