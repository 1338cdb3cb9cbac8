import CDBus

extension MessageReader {
    /// Reads `y`.
    public mutating func readByte() throws(DBusError) -> UInt8 { try readBasic(TypeCode.byte, 0) }
    /// Reads `n`.
    public mutating func readInt16() throws(DBusError) -> Int16 { try readBasic(TypeCode.int16, 0) }
    /// Reads `q`.
    public mutating func readUInt16() throws(DBusError) -> UInt16 { try readBasic(TypeCode.uint16, 0) }
    /// Reads `i`.
    public mutating func readInt32() throws(DBusError) -> Int32 { try readBasic(TypeCode.int32, 0) }
    /// Reads `u`.
    public mutating func readUInt32() throws(DBusError) -> UInt32 { try readBasic(TypeCode.uint32, 0) }
    /// Reads `x`.
    public mutating func readInt64() throws(DBusError) -> Int64 { try readBasic(TypeCode.int64, 0) }
    /// Reads `t`.
    public mutating func readUInt64() throws(DBusError) -> UInt64 { try readBasic(TypeCode.uint64, 0) }
    /// Reads `d`.
    public mutating func readDouble() throws(DBusError) -> Double { try readBasic(TypeCode.double, 0) }

    /// Reads `b`. libdbus stores it in four bytes, more than a Swift Bool has.
    public mutating func readBoolean() throws(DBusError) -> Bool {
        let value: dbus_bool_t = try readBasic(TypeCode.boolean, 0)
        return value != 0
    }

    /// Reads `s`.
    public mutating func readString() throws(DBusError) -> String {
        try readText(TypeCode.string)
    }

    /// Reads `o`.
    public mutating func readObjectPath() throws(DBusError) -> ObjectPath {
        ObjectPath(unchecked: try readText(TypeCode.objectPath))
    }

    /// Reads `g`.
    public mutating func readSignature() throws(DBusError) -> String {
        try readText(TypeCode.signature)
    }

    /// Reads `h`: a duplicate, closed with its last reference. The message keeps its own descriptor.
    public mutating func readFileDescriptor() throws(DBusError) -> UnixFileDescriptor {
        let descriptor: CInt = try readBasic(TypeCode.fileDescriptor, -1)
        guard descriptor >= 0 else { throw .invalidArguments("The message's file descriptor cannot be duplicated") }
        return UnixFileDescriptor(owning: descriptor)
    }

    /// Reads `ay` in one copy.
    public mutating func readBytes() throws(DBusError) -> [UInt8] {
        try unsafe withBytes { bytes in unsafe [UInt8](bytes) }
    }

    /// Reads `as`.
    public mutating func readStrings() throws(DBusError) -> [String] {
        var strings: [String] = []
        try readArray { (element) throws(DBusError) in strings.append(try element.readString()) }
        return strings
    }

    private mutating func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) throws(DBusError) -> R {
        try expect(TypeCode.array)
        guard unsafe dbus_message_iter_get_element_type(&iterator) == TypeCode.byte else {
            throw .invalidArguments("Expected an array of bytes in the message, found \(signature)")
        }
        var inner = recursed()
        var pointer: UnsafePointer<UInt8>?
        var count: CInt = 0
        unsafe withUnsafeMutablePointer(to: &pointer) { pointer in
            unsafe dbus_message_iter_get_fixed_array(&inner.iterator, pointer, &count)
        }
        let result = unsafe body(UnsafeBufferPointer(start: count > 0 ? pointer : nil, count: Int(count)))
        skip()
        return result
    }

    private mutating func readBasic<T: BitwiseCopyable>(_ code: CInt, _ initial: T) throws(DBusError) -> T {
        try expect(code)
        var value = initial
        unsafe withUnsafeMutablePointer(to: &value) { value in
            unsafe dbus_message_iter_get_basic(&iterator, value)
        }
        skip()
        return value
    }

    private mutating func readText(_ code: CInt) throws(DBusError) -> String {
        try expect(code)
        var text: UnsafePointer<CChar>?
        unsafe withUnsafeMutablePointer(to: &text) { text in
            unsafe dbus_message_iter_get_basic(&iterator, text)
        }
        guard let text = unsafe text else { throw .invalidArguments("The message has a string without text") }
        let string = unsafe String(cString: text)
        skip()
        return string
    }
}
