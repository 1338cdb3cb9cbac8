import CBlueZDBus

/// A writer that appends arguments to a message. Everything is checked before libdbus gets it. A value that does not
/// fit its container, or a message that exceeds the limits of D-Bus, is an error.
@safe public struct MessageWriter: ~Copyable {
    private let message: Message
    private var iterator: DBusMessageIter
    private var expected: ExpectedTypes
    private let depth: Int

    init(appendingTo message: Message) {
        self.message = message
        unsafe iterator = DBusMessageIter()
        unsafe dbus_message_iter_init_append(message.raw, &iterator)
        expected = ExpectedTypes(.anything, message.signature)
        depth = 0
    }

    private init(inside outer: borrowing MessageWriter, expected: ExpectedTypes) {
        message = outer.message
        unsafe iterator = DBusMessageIter()
        self.expected = expected
        depth = outer.depth + 1
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
        try prepare(TypeCode.string, alignment: 4, count: 5 + value.utf8.count)
        try appendText(TypeCode.string, value)
    }

    /// Appends `o`.
    public mutating func append(_ value: ObjectPath) throws(DBusError) {
        try prepare(TypeCode.objectPath, alignment: 4, count: 5 + value.string.utf8.count)
        try appendText(TypeCode.objectPath, value.string)
    }

    /// Appends `g`.
    public mutating func append(signature: String) throws(DBusError) {
        try Names.check(signature: signature)
        try prepare(TypeCode.signature, alignment: 1, count: 2 + signature.utf8.count)
        try appendText(TypeCode.signature, signature)
    }

    /// Appends `h`. The message gets a duplicate. More than 16 descriptors, or one that is not open, are an error.
    public mutating func append(_ value: UnixFileDescriptor) throws(DBusError) {
        try checkState()
        try expected.skip(TypeCode.fileDescriptor)
        try grow { (size) throws(DBusError) in try size.addDescriptor() }
        let isAppended = unsafe withUnsafePointer(to: value.rawValue) { value in
            unsafe dbus_message_iter_append_basic(&iterator, TypeCode.fileDescriptor, value)
        }
        guard isAppended != 0 else {
            throw spoil(.invalidArguments("The file descriptor \(value.rawValue) cannot be duplicated"))
        }
        message.descriptors.append(value)
    }

    /// Appends `ay` in one copy. An array of more than 64 MiB is an error.
    public mutating func append(_ bytes: [UInt8]) throws(DBusError) {
        guard bytes.count <= BodySize.arrayLength else {
            throw .invalidArguments("A D-Bus array cannot have \(bytes.count) bytes; 64 MiB is the limit")
        }
        try checkState()
        try expected.takeArray(of: "y")
        try grow { (size) throws(DBusError) in try size.add(alignment: 4, count: 4) }
        let inner = ExpectedTypes(.repeated, "y")
        try appendContainer(TypeCode.array, "y", inner) { (inner) throws(DBusError) in
            guard !bytes.isEmpty else { return }
            try inner.message.bodySize.add(alignment: 1, count: bytes.count)
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

    /// Appends an array. `body` appends the elements, which all have the given signature.
    public mutating func appendArray(
        of signature: String,
        _ body: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try Names.check(singleSignature: "a" + signature)
        try checkState()
        try expected.takeArray(of: signature)
        try grow { (size) throws(DBusError) in
            try size.add(alignment: 4, count: 4)
            try size.add(alignment: BodySize.alignment(of: signature), count: 0)
        }
        let start = message.bodySize.count
        try appendContainer(TypeCode.array, signature, ExpectedTypes(.repeated, signature)) {
            (inner) throws(DBusError) in
            try body(&inner)
            try inner.message.bodySize.checkArray(from: start)
        }
    }

    /// Appends one entry of a dictionary, inside `appendArray(of: "{..}")`. `body` appends the key and the value.
    public mutating func appendEntry(
        _ body: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try appendGroup(TypeCode.dictionaryEntry, body)
    }

    /// Appends a structure. `body` appends the fields.
    public mutating func appendStructure(
        _ body: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try appendGroup(TypeCode.structure, body)
    }

    /// Appends a variant. `body` appends the value, which has the given signature.
    public mutating func appendVariant(
        _ signature: String,
        _ body: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try Names.check(singleSignature: signature)
        try prepare(TypeCode.variant, alignment: 1, count: 2 + signature.utf8.count)
        try appendContainer(TypeCode.variant, signature, ExpectedTypes(.once, signature), body)
    }

    private mutating func appendGroup(
        _ code: CInt,
        _ body: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try checkState()
        let inner = try expected.beginGroup(code)
        try message.bodySize.add(alignment: 8, count: 0)
        let outer = expected
        expected = try appendContainer(code, nil, inner) { (inner) throws(DBusError) -> ExpectedTypes in
            try body(&inner)
            var outer = outer
            try outer.endGroup(inner.expected)
            return outer
        }
    }

    private mutating func appendContainer<R>(
        _ code: CInt,
        _ signature: String?,
        _ expected: ExpectedTypes,
        _ body: (inout MessageWriter) throws(DBusError) -> R
    ) throws(DBusError) -> R {
        guard depth < BodySize.depth else {
            throw spoil(.invalidArguments("D-Bus containers can be nested to a depth of at most \(BodySize.depth)"))
        }
        var inner = MessageWriter(inside: self, expected: expected)
        guard unsafe dbus_message_iter_open_container(&iterator, code, signature, &inner.iterator) != 0 else {
            throw spoil(.noMemory)
        }
        let result: R
        do throws(DBusError) {
            result = try body(&inner)
            try inner.checkState()
            if code != TypeCode.dictionaryEntry, code != TypeCode.structure { try inner.expected.checkComplete() }
        } catch {
            unsafe dbus_message_iter_abandon_container(&iterator, &inner.iterator)
            throw spoil(error)
        }
        guard unsafe dbus_message_iter_close_container(&iterator, &inner.iterator) != 0 else { throw spoil(.noMemory) }
        return result
    }

    private mutating func appendBasic<T: BitwiseCopyable>(_ code: CInt, _ value: T) throws(DBusError) {
        let size = MemoryLayout<T>.size
        try prepare(code, alignment: size, count: size)
        let isAppended = unsafe withUnsafePointer(to: value) { value in
            unsafe dbus_message_iter_append_basic(&iterator, code, value)
        }
        guard isAppended != 0 else { throw spoil(.noMemory) }
    }

    private mutating func appendText(_ code: CInt, _ text: String) throws(DBusError) {
        let isAppended = unsafe text.withCString { text in
            var text: UnsafePointer<CChar>? = unsafe text
            return unsafe withUnsafePointer(to: &text) { pointer in
                unsafe dbus_message_iter_append_basic(&iterator, code, pointer)
            }
        }
        guard isAppended != 0 else { throw spoil(.noMemory) }
    }

    private mutating func prepare(_ code: CInt, alignment: Int, count: Int) throws(DBusError) {
        try checkState()
        try expected.skip(code)
        try grow { (size) throws(DBusError) in try size.add(alignment: alignment, count: count) }
    }

    private func grow(_ body: (inout BodySize) throws(DBusError) -> Void) throws(DBusError) {
        do throws(DBusError) {
            try body(&message.bodySize)
        } catch {
            throw spoil(error)
        }
    }

    private func checkState() throws(DBusError) {
        guard message.state == .writing else { throw Message.spoiled }
    }

    /// Marks the message as unusable, because the body written so far does not match its signature.
    private func spoil(_ error: DBusError) -> DBusError {
        message.state = .spoiled
        return error
    }
}
