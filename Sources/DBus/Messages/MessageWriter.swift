import CDBus

/// Appends arguments to a message. Everything is checked before libdbus sees it.
@safe public struct MessageWriter {
    private let message: Message
    private var iterator: DBusMessageIter

    init(appendingTo message: Message) {
        self.message = message
        unsafe iterator = DBusMessageIter()
        unsafe dbus_message_iter_init_append(message.raw, &iterator)
    }

    private init(_ message: Message, iterator: DBusMessageIter) {
        self.message = message
        unsafe self.iterator = unsafe iterator
    }

    /// Appends `y`.
    public mutating func append(_ value: UInt8) throws(DBusError) { try appendBasic(TypeCode.byte, value) }
    /// Appends `n`.
    public mutating func append(_ value: Int16) throws(DBusError) { try appendBasic(TypeCode.int16, value) }
    /// Appends `q`.
    public mutating func append(_ value: UInt16) throws(DBusError) { try appendBasic(TypeCode.uint16, value) }
    /// Appends `i`.
    public mutating func append(_ value: Int32) throws(DBusError) { try appendBasic(TypeCode.int32, value) }
    /// Appends `u`.
    public mutating func append(_ value: UInt32) throws(DBusError) { try appendBasic(TypeCode.uint32, value) }
    /// Appends `x`.
    public mutating func append(_ value: Int64) throws(DBusError) { try appendBasic(TypeCode.int64, value) }
    /// Appends `t`.
    public mutating func append(_ value: UInt64) throws(DBusError) { try appendBasic(TypeCode.uint64, value) }
    /// Appends `d`.
    public mutating func append(_ value: Double) throws(DBusError) { try appendBasic(TypeCode.double, value) }
    /// Appends `b`.
    public mutating func append(_ value: Bool) throws(DBusError) {
        try appendBasic(TypeCode.boolean, dbus_bool_t(value ? 1 : 0))
    }

    /// Appends `s`. A string with U+0000 is an error.
    public mutating func append(_ value: String) throws(DBusError) {
        try Names.check(text: value)
        try appendText(TypeCode.string, value)
    }

    /// Appends `o`.
    public mutating func append(_ value: ObjectPath) throws(DBusError) {
        try appendText(TypeCode.objectPath, value.string)
    }

    /// Appends `g`.
    public mutating func append(signature: String) throws(DBusError) {
        try Names.check(signature: signature)
        try appendText(TypeCode.signature, signature)
    }

    /// Appends `h`. The message gets a duplicate.
    public mutating func append(_ value: UnixFileDescriptor) throws(DBusError) {
        try appendBasic(TypeCode.fileDescriptor, value.rawValue)
    }

    /// Appends `ay` in one copy. D-Bus arrays end at 64 MiB; a longer one is an error.
    public mutating func append(_ bytes: [UInt8]) throws(DBusError) {
        guard bytes.count <= DBUS_MAXIMUM_ARRAY_LENGTH else {
            throw .invalidArguments("\(bytes.count) bytes are more than a D-Bus array can have")
        }
        try appendContainer(TypeCode.array, "y") { (inner) throws(DBusError) in
            guard !bytes.isEmpty else { return }
            let isAppended = unsafe bytes.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                return unsafe withUnsafePointer(to: &start) { pointer in
                    unsafe dbus_message_iter_append_fixed_array(
                        &inner.iterator, TypeCode.byte, pointer, CInt(clamping: buffer.count)
                    )
                }
            }
            guard isAppended != 0 else { throw .noMemory }
        }
    }

    /// Appends an array whose elements, all of the given signature, `body` appends.
    public mutating func appendArray(
        of signature: String,
        _ body: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        if signature.hasPrefix("{") {
            try Names.check(singleSignature: "a" + signature)
        } else {
            try Names.check(singleSignature: signature)
        }
        try appendContainer(TypeCode.array, signature, body)
    }

    /// Appends one entry of a dictionary, inside `appendArray(of: "{..}")`: `body` appends key and value.
    public mutating func appendEntry(
        _ body: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try appendContainer(TypeCode.dictionaryEntry, nil, body)
    }

    /// Appends a structure whose fields `body` appends.
    public mutating func appendStructure(
        _ body: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try appendContainer(TypeCode.structure, nil, body)
    }

    /// Appends a variant whose value, of the given signature, `body` appends.
    public mutating func appendVariant(
        _ signature: String,
        _ body: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try Names.check(singleSignature: signature)
        try appendContainer(TypeCode.variant, signature, body)
    }

    private mutating func appendContainer(
        _ code: CInt,
        _ signature: String?,
        _ body: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        var inner = unsafe MessageWriter(message, iterator: DBusMessageIter())
        guard unsafe dbus_message_iter_open_container(&iterator, code, signature, &inner.iterator) != 0 else {
            throw .noMemory
        }
        do throws(DBusError) {
            try body(&inner)
        } catch {
            unsafe dbus_message_iter_abandon_container(&iterator, &inner.iterator)
            throw error
        }
        guard unsafe dbus_message_iter_close_container(&iterator, &inner.iterator) != 0 else { throw .noMemory }
    }

    private mutating func appendBasic<T: BitwiseCopyable>(_ code: CInt, _ value: T) throws(DBusError) {
        let isAppended = unsafe withUnsafePointer(to: value) { value in
            unsafe dbus_message_iter_append_basic(&iterator, code, value)
        }
        guard isAppended != 0 else { throw .noMemory }
    }

    private mutating func appendText(_ code: CInt, _ text: String) throws(DBusError) {
        let isAppended = unsafe text.withCString { text in
            var text: UnsafePointer<CChar>? = unsafe text
            return unsafe withUnsafePointer(to: &text) { pointer in
                unsafe dbus_message_iter_append_basic(&iterator, code, pointer)
            }
        }
        guard isAppended != 0 else { throw .noMemory }
    }
}
