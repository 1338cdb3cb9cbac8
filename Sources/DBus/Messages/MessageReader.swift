import CDBus

/// Reads the arguments of a message one after another.
///
/// If the caller knows the shape, nothing is boxed: `ay` is one copy of its bytes, a dictionary is a loop. Whatever
/// the sender put in, an unexpected type is a `DBusError` and the reader stays where it was. A reader ends if the
/// message is written to after it began.
@safe public struct MessageReader {
    /// Keeps the bytes that the iterator points to.
    let message: Message
    var iterator: DBusMessageIter
    private let version: Int

    init(_ message: Message) {
        self.message = message
        version = message.version
        unsafe iterator = DBusMessageIter()
        unsafe dbus_message_iter_init(message.raw, &iterator)
    }

    private init(_ message: Message, iterator: DBusMessageIter) {
        self.message = message
        version = message.version
        unsafe self.iterator = unsafe iterator
    }

    var typeCode: CInt {
        mutating get {
            guard version == message.version, message.state == .complete else { return TypeCode.invalid }
            return unsafe dbus_message_iter_get_arg_type(&iterator)
        }
    }

    /// Whether there is nothing more at this level.
    public var isAtEnd: Bool {
        mutating get { typeCode == TypeCode.invalid }
    }

    /// The signature of the next value; empty at the end.
    public var signature: String {
        mutating get {
            guard !isAtEnd, let text = unsafe dbus_message_iter_get_signature(&iterator) else { return "" }
            defer { unsafe dbus_free(text) }
            return unsafe String(cString: text)
        }
    }

    /// Skips the next value, whatever it is. Does nothing at the end.
    public mutating func skip() {
        guard !isAtEnd else { return }
        unsafe dbus_message_iter_next(&iterator)
    }

    mutating func expect(_ code: CInt) throws(DBusError) {
        let found = typeCode
        guard found == code else {
            throw .invalidArguments("Expected \(TypeCode.name(code)) in the message, found \(TypeCode.name(found))")
        }
    }

    /// Reads an array's elements, or a dictionary's entries, by calling `body` once for each with a reader on it.
    public mutating func readArray(
        _ body: (inout MessageReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try expect(TypeCode.array)
        var elements = recursed()
        while !elements.isAtEnd {
            var element = elements
            try body(&element)
            elements.skip()
        }
        skip()
    }

    /// Reads a dictionary with string keys and variant values, `a{sv}`: `body` gets each name and a reader on the value
    /// inside the variant.
    public mutating func readProperties(
        _ body: (String, inout MessageReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try readDictionary { (entry) throws(DBusError) in
            let name = try entry.readString()
            try entry.readVariant { (value) throws(DBusError) in try body(name, &value) }
        }
    }

    /// Reads any dictionary: `body` gets a reader on key and value of each entry.
    public mutating func readDictionary(
        _ body: (inout MessageReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try readArray { (element) throws(DBusError) in
            try element.expect(TypeCode.dictionaryEntry)
            var entry = element.recursed()
            try body(&entry)
        }
    }

    /// A reader on the elements of an array or the entries of a dictionary, for callers that read a few at a time.
    public mutating func enterArray() throws(DBusError) -> MessageReader {
        try expect(TypeCode.array)
        defer { skip() }
        return recursed()
    }

    /// Reads one entry of a dictionary that was entered by `enterArray`.
    public mutating func readEntry(
        _ body: (inout MessageReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try expect(TypeCode.dictionaryEntry)
        var entry = recursed()
        try body(&entry)
        skip()
    }

    /// Reads a structure: `body` gets a reader on its fields.
    public mutating func readStructure<R>(
        _ body: (inout MessageReader) throws(DBusError) -> R
    ) throws(DBusError) -> R {
        try readContainer(TypeCode.structure, body)
    }

    /// Reads a variant: `body` gets a reader on the value inside it.
    public mutating func readVariant<R>(
        _ body: (inout MessageReader) throws(DBusError) -> R
    ) throws(DBusError) -> R {
        try readContainer(TypeCode.variant, body)
    }

    private mutating func readContainer<R>(
        _ code: CInt,
        _ body: (inout MessageReader) throws(DBusError) -> R
    ) throws(DBusError) -> R {
        try expect(code)
        var inner = recursed()
        let result = try body(&inner)
        skip()
        return result
    }

    mutating func recursed() -> MessageReader {
        var inner = unsafe DBusMessageIter()
        unsafe dbus_message_iter_recurse(&iterator, &inner)
        return unsafe MessageReader(message, iterator: inner)
    }
}
