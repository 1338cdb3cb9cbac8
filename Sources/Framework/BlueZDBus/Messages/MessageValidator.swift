import CBlueZDBus

/// Checks the bytes of one message against the rules and limits of the D-Bus specification, as libdbus does
/// (dbus/dbus-marshal-validate.c, dbus-marshal-header.c).
@safe struct MessageValidator {
    let wire: WireBytes
    private let start: UnsafeMutableRawPointer
    let isForeign: Bool

    /// The greatest nesting depth of values.
    private static let depth = 64

    /// Returns the size of the message that begins with these bytes, or nil if too few have arrived.
    static func size(_ wire: WireBytes) throws(InvalidMessage) -> Int? {
        guard let body = wire.load(UInt32.self, at: 4), let fields = wire.load(UInt32.self, at: 12) else { return nil }
        let isForeign = try isForeign(wire.byte(at: 0))
        let fieldsEnd = 16 + Int(isForeign ? fields.byteSwapped : fields)
        let size = WireBytes.align(fieldsEnd, to: 8) + Int(isForeign ? body.byteSwapped : body)
        guard size <= Int(DBUS_MAXIMUM_MESSAGE_LENGTH) else { throw InvalidMessage("it is longer than 128 MiB") }
        return size
    }

    private static func isForeign(_ order: UInt8) throws(InvalidMessage) -> Bool {
        guard order == UInt8(ascii: "l") || order == UInt8(ascii: "B") else {
            throw InvalidMessage("it has no byte order")
        }
        return order != WireBytes.nativeOrder
    }

    /// - Parameters:
    ///   - start: the message's bytes. Numbers in the other byte order are swapped in place.
    ///   - count: the result of `size`.
    init(_ start: UnsafeMutableRawPointer, count: Int) throws(InvalidMessage) {
        unsafe self.start = unsafe start
        wire = unsafe WireBytes(start, count: count)
        isForeign = try Self.isForeign(wire.byte(at: 0))
    }

    /// - Parameters:
    ///   - needsSerial: whether the message must have a serial, because it was sent.
    ///   - cache: the headers that were found valid before.
    func validate(needsSerial: Bool = true, cache: HeaderCache? = nil) throws(InvalidMessage) -> ValidMessage {
        let serial = try number(UInt32.self, at: 8)
        guard serial != 0 || !needsSerial else { throw InvalidMessage("its serial is 0") }
        let header = try validateHeader(isForeign ? nil : cache)
        let types = header.signature
        var (type, offset) = (types.start, header.end)
        while type < types.start + types.count {
            offset = try validate(type, at: offset, 0)
            type = wire.endOfType(at: type)
        }
        guard offset == wire.count else { throw InvalidMessage("its arguments are longer than its signature") }
        if isForeign { unsafe start.storeBytes(of: WireBytes.nativeOrder, as: UInt8.self) }
        return ValidMessage(wire: wire, header: header, flags: wire.byte(at: 2), serial: serial)
    }

    // MARK: Values

    /// Validates one value.
    ///
    /// - Parameter type: the position of its type, which is valid.
    /// - Returns: the end of the value.
    func validate(_ type: Int, at offset: Int, _ depth: Int) throws(InvalidMessage) -> Int {
        switch wire.byte(at: type) {
        case UInt8(ascii: "y"):
            guard offset < wire.count else { throw Self.truncated }
            return offset + 1
        case UInt8(ascii: "b"):
            let start = try padded(offset, to: 4)
            guard try number(UInt32.self, at: start) <= 1 else { throw InvalidMessage("a boolean is neither 0 nor 1") }
            return start + 4
        case UInt8(ascii: "n"), UInt8(ascii: "q"): return try skipNumber(UInt16.self, offset)
        case UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "h"): return try skipNumber(UInt32.self, offset)
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"): return try skipNumber(UInt64.self, offset)
        case UInt8(ascii: "s"):
            let text = try text(at: offset)
            guard unsafe wire.withBytes(text, WireRules.isText) else { throw InvalidMessage("a string is not UTF-8") }
            return text.start + text.count + 1
        case UInt8(ascii: "o"):
            let text = try text(at: offset)
            guard unsafe wire.withBytes(text, WireRules.isPath) else { throw InvalidMessage("a path is not valid") }
            return text.start + text.count + 1
        case UInt8(ascii: "g"):
            let text = try signature(at: offset)
            guard unsafe wire.withBytes(text, WireRules.isSignature) else { throw Self.wrongSignature }
            return text.start + text.count + 1
        case UInt8(ascii: "v"):
            let text = try signature(at: offset)
            guard unsafe wire.withBytes(text, WireRules.isSingleType) else { throw Self.wrongSignature }
            let end = text.start + text.count + 1
            return try validate(text.start, at: end, try Self.deeper(depth))
        case UInt8(ascii: "a"): return try validateArray(type + 1, at: offset, depth)
        default:
            let depth = try Self.deeper(depth)
            var (field, end) = (type + 1, try padded(offset, to: 8))
            while !wire.isEndOfGroup(at: field) {
                end = try validate(field, at: end, depth)
                field = wire.endOfType(at: field)
            }
            return end
        }
    }

    private func validateArray(_ type: Int, at offset: Int, _ depth: Int) throws(InvalidMessage) -> Int {
        let code = wire.byte(at: type)
        let alignment = WireBytes.alignment(code)
        let sizeStart = try padded(offset, to: 4)
        let size = Int(try number(UInt32.self, at: sizeStart))
        var position = try padded(sizeStart + 4, to: alignment)
        guard size <= wire.count - position else { throw Self.truncated }
        guard size <= BodySize.arrayLength else { throw InvalidMessage("an array is longer than 64 MiB") }
        let end = position + size
        var depth = depth
        switch code {
        case UInt8(ascii: "y"): return end
        case UInt8(ascii: "b"): break
        case UInt8(ascii: "n"), UInt8(ascii: "q"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "h"),
            UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"):
            guard size % alignment == 0 else { throw InvalidMessage("an array ends inside an element") }
            // In this machine's byte order, the elements need no change.
            if !isForeign { return end }
        default: if size > 0 { depth = try Self.deeper(depth) }
        }
        while position < end { position = try validate(type, at: position, depth) }
        guard position == end else { throw InvalidMessage("an array ends inside an element") }
        return end
    }

    private static func deeper(_ depth: Int) throws(InvalidMessage) -> Int {
        guard depth < Self.depth else { throw InvalidMessage("its values are nested too deeply") }
        return depth + 1
    }

    // MARK: Pieces

    static let truncated = InvalidMessage("it ends inside a value")
    static let wrongSignature = InvalidMessage("a signature is not valid")

    /// Returns the next aligned offset. The skipped bytes must be zero.
    @inline(__always) func padded(_ offset: Int, to alignment: Int) throws(InvalidMessage) -> Int {
        let start = WireBytes.align(offset, to: alignment)
        guard start <= wire.count else { throw Self.truncated }
        var position = offset
        while position < start {
            guard wire.byte(at: position) == 0 else {
                throw InvalidMessage("a value is preceded by bytes that are not zero")
            }
            position += 1
        }
        return start
    }

    /// Returns the number at the offset, which is in this machine's order from then on.
    @inline(__always)
    func number<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) throws(InvalidMessage) -> T {
        guard let value = wire.load(T.self, at: offset) else { throw Self.truncated }
        guard isForeign else { return value }
        unsafe start.storeBytes(of: value.byteSwapped, toByteOffset: offset, as: T.self)
        return value.byteSwapped
    }

    @inline(__always) private func skipNumber<T: FixedWidthInteger & BitwiseCopyable>(
        _ type: T.Type, _ offset: Int
    ) throws(InvalidMessage) -> Int {
        let start = try padded(offset, to: MemoryLayout<T>.size)
        _ = try number(type, at: start)
        return start + MemoryLayout<T>.size
    }

    /// Returns the text of a string or path, which is followed by a zero byte.
    @inline(__always) func text(at offset: Int) throws(InvalidMessage) -> WireBytes.Text {
        let start = try padded(offset, to: 4)
        let text = WireBytes.Text(start: start + 4, count: Int(try number(UInt32.self, at: start)))
        guard text.count < wire.count - text.start else { throw Self.truncated }
        guard wire.byte(at: text.start + text.count) == 0 else { throw InvalidMessage("a string has no end") }
        return text
    }

    @inline(__always) func signature(at offset: Int) throws(InvalidMessage) -> WireBytes.Text {
        guard let text = wire.signature(at: offset) else { throw Self.truncated }
        guard wire.byte(at: text.start + text.count) == 0 else { throw InvalidMessage("a signature has no end") }
        return text
    }
}

/// The reason why the received bytes are not a valid message.
struct InvalidMessage: Error {
    let reason: StaticString

    init(_ reason: StaticString) { self.reason = reason }
}

/// A message's bytes after validation, with all numbers in this machine's order.
struct ValidMessage {
    let wire: WireBytes
    let header: MessageContents.Header
    let flags: UInt8
    let serial: UInt32
}
