import CBlueZDBus

/// A message of the bus: a method call, a reply, an error or a signal.
///
/// It is not Sendable, because it belongs to the thread of its connection's loop.
@safe public final class Message {
    /// The kind of a message.
    public enum Kind: Sendable {
        /// A call of a method of an object.
        case methodCall
        /// A reply to a call.
        case methodReturn
        /// An error as the reply to a call.
        case error
        /// A signal, which reports an event.
        case signal
        /// A type unknown to the specification.
        case unknown
    }

    enum State {
        case complete, writing
        /// Writing failed halfway, so libdbus would send a body that contradicts its signature.
        case spoiled
    }

    /// libdbus's message; nil if it was received.
    let raw: OpaquePointer?
    var state = State.complete
    /// Whether each call sends a copy.
    private(set) var isTemplate = false
    /// Whether a template is a call that wants a reply and has no file descriptors, which is checked once.
    private(set) var isPlainCallTemplate = false
    var bodySize: BodySize
    /// The descriptors of a message that was created here. libdbus has its own duplicates.
    var descriptors: [UnixFileDescriptor]
    var readContents: MessageContents?

    /// Takes over one reference.
    private init(
        adopting raw: OpaquePointer?, _ bodySize: BodySize = BodySize(), _ descriptors: [UnixFileDescriptor] = []
    ) throws(DBusError) {
        guard let raw = unsafe raw else { throw .noMemory }
        unsafe self.raw = unsafe raw
        self.bodySize = bodySize
        self.descriptors = descriptors
    }

    /// Creates a message that was received.
    init(_ contents: MessageContents) {
        unsafe raw = nil
        bodySize = BodySize()
        descriptors = []
        readContents = contents
    }

    deinit {
        if let raw = unsafe raw { unsafe dbus_message_unref(raw) }
    }

    /// Creates a method call without arguments.
    ///
    /// - Throws: `DBusError` if a name is not valid.
    public static func methodCall(
        to destination: String,
        path: ObjectPath,
        interface: String,
        member: String
    ) throws(DBusError) -> Message {
        try Names.check(busName: destination)
        try Names.check(interface: interface)
        try Names.check(member: member)
        return try unsafe Message(adopting: dbus_message_new_method_call(destination, path.string, interface, member))
    }

    /// Creates a signal without arguments.
    ///
    /// - Throws: `DBusError` if a name is not valid.
    public static func signal(path: ObjectPath, interface: String, member: String) throws(DBusError) -> Message {
        try Names.check(interface: interface)
        try Names.check(member: member)
        return try unsafe Message(adopting: dbus_message_new_signal(path.string, interface, member))
    }

    static func reply(to call: Message) throws(DBusError) -> Message {
        let reply = try unsafe Message(adopting: dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN))
        try reply.address(to: call)
        return reply
    }

    static func error(_ error: DBusError, to call: Message) throws(DBusError) -> Message {
        try Names.check(errorName: error.name)
        try Names.check(text: error.message)
        let reply = try unsafe Message(adopting: dbus_message_new(DBUS_MESSAGE_TYPE_ERROR))
        try reply.address(to: call)
        guard unsafe dbus_message_set_error_name(reply.raw, error.name) != 0 else { throw .noMemory }
        try reply.write { (writer) throws(DBusError) in try writer.append(error.message) }
        return reply
    }

    /// Addresses a reply to the caller.
    private func address(to call: Message) throws(DBusError) {
        unsafe dbus_message_set_no_reply(raw, 1)
        guard unsafe dbus_message_set_reply_serial(raw, call.serial) != 0 else { throw .noMemory }
        guard let caller = call.sender else { return }
        guard unsafe dbus_message_set_destination(raw, caller) != 0 else { throw .noMemory }
    }

    /// Returns a copy of the message without a serial. Sending a copy costs a fourteenth of building the message again.
    ///
    /// - Throws: `DBusError` if the message was not written completely, or was received.
    public func copy() throws(DBusError) -> Message {
        guard state == .complete else { throw Self.spoiled }
        guard let raw = unsafe raw else { throw .invalidArguments("A message that was received cannot be copied") }
        return try unsafe Message(adopting: dbus_message_copy(raw), bodySize, descriptors)
    }

    /// Returns the bytes of the message as they are sent, without a serial.
    func marshalled() throws(DBusError) -> [UInt8] {
        guard state == .complete, let raw = unsafe raw else { throw Self.spoiled }
        var start: UnsafeMutablePointer<CChar>?
        var count: CInt = 0
        guard unsafe dbus_message_marshal(raw, &start, &count) != 0, let start = unsafe start else { throw .noMemory }
        defer { unsafe dbus_free(start) }
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(count)).map { $0 }
    }

    /// Creates a message of bytes with any serial, which is not sent.
    ///
    /// - Throws: `DBusError` if the bytes are no message.
    static func unmarshalled(_ bytes: [UInt8]) throws(DBusError) -> Message {
        let message = unsafe bytes.withUnsafeBytes { buffer in
            unsafe dbus_message_demarshal(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(clamping: buffer.count), nil)
        }
        guard let message = unsafe message else { throw .invalidArguments("The bytes are not a message") }
        defer { unsafe dbus_message_unref(message) }
        return try unsafe Message(adopting: dbus_message_copy(message))
    }

    /// Makes the message reusable for calls, each of which sends a copy. From then on, it cannot be changed.
    ///
    /// - Throws: `DBusError` if the message was not written completely.
    public func makeTemplate() throws(DBusError) {
        guard state == .complete else { throw Self.spoiled }
        isTemplate = true
        isPlainCallTemplate = isCall && !hasFileDescriptors
    }

    /// Whether the message is a method call that wants a reply and was not sent before.
    var isCall: Bool { kind == .methodCall && serial == 0 && wantsReply }

    /// Whether the message has file descriptors, which not every connection can pass.
    var hasFileDescriptors: Bool { !descriptors.isEmpty }

    /// Adds arguments to a message that was neither sent nor received.
    ///
    /// - Throws: the error of `body`, or `DBusError` if a value cannot be sent. The message is then unusable, and
    ///   sending it is an error.
    public func write(_ body: (inout MessageWriter) throws(DBusError) -> Void) throws(DBusError) {
        try beginChange()
        state = .writing
        do throws(DBusError) {
            var writer = MessageWriter(appendingTo: self)
            try body(&writer)
        } catch {
            state = .spoiled
            throw error
        }
        guard state == .writing else { throw Self.spoiled }
        state = .complete
    }

    static let spoiled = DBusError.invalidArguments("The message was not written to its end")

    /// Whether the message's header can be changed. libdbus aborts the program if the message was sent.
    private var isChangeable: Bool { unsafe raw != nil && serial == 0 && state == .complete && !isTemplate }

    private func beginChange() throws(DBusError) {
        guard state == .complete else { throw Self.spoiled }
        guard isChangeable else {
            throw .invalidArguments("A message that was sent or received cannot be changed")
        }
        readContents = nil
    }

    /// Whether something else, such as a reader, retains the contents.
    var areContentsKept: Bool { !isKnownUniquelyReferenced(&readContents) }

    /// The contents; empty while the message is written, or if writing has failed.
    var contents: MessageContents {
        if let readContents { return readContents }
        guard state == .complete, let raw = unsafe raw, let contents = unsafe MessageContents(raw, descriptors) else {
            return MessageContents()
        }
        readContents = contents
        return contents
    }

    /// Reads the arguments, starting with the first.
    public var reader: MessageReader { MessageReader(contents) }

    /// Makes the call without starting a service for its destination, so that a client of a daemon that is not running
    /// does not wait for bus activation. Has no effect if the message was sent.
    public func forbidAutoStart() {
        guard isChangeable else { return }
        unsafe dbus_message_set_auto_start(raw, 0)
    }

    /// Requests that the receiver send no reply. Has no effect if the message was sent.
    public func forbidReply() {
        guard isChangeable else { return }
        unsafe dbus_message_set_no_reply(raw, 1)
    }

    /// Addresses a signal to a single receiver.
    ///
    /// - Throws: `DBusError` if the name is not valid, or the message was sent.
    public func setDestination(_ name: String) throws(DBusError) {
        try Names.check(busName: name)
        try beginChange()
        guard unsafe dbus_message_set_destination(raw, name) != 0 else { throw .noMemory }
    }
}
