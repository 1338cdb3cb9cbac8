import CDBus

/// A message of the bus: a method call, its reply or error, or a signal.
///
/// Not Sendable: a message belongs to the thread of its connection's loop.
@safe public final class Message {
    /// The kind of a message.
    public enum Kind: Sendable {
        /// Asks an object for something.
        case methodCall
        /// Answers a call.
        case methodReturn
        /// Refuses a call.
        case error
        /// Reports an event.
        case signal
        /// A type that the specification does not know.
        case unknown
    }

    enum State {
        case complete, writing
        /// Writing ended halfway with an error: libdbus would send a body that contradicts its signature.
        case spoiled
    }

    let raw: OpaquePointer
    var state = State.complete
    /// Whether each call sends a copy.
    private(set) var isTemplate = false
    /// Whether a template is a call that wants a reply and has no file descriptors, which need not be asked again.
    private(set) var isPlainCallTemplate = false
    var bodySize: BodySize
    private let paths: PathCache?
    private var readContents: MessageContents?

    /// Takes over one reference.
    init(adopting raw: OpaquePointer, paths: PathCache? = nil, bodySize: BodySize = BodySize()) {
        unsafe self.raw = unsafe raw
        self.paths = paths
        self.bodySize = bodySize
    }

    deinit {
        unsafe dbus_message_unref(raw)
    }

    private static func adopt(
        _ raw: OpaquePointer?, _ bodySize: BodySize = BodySize()
    ) throws(DBusError) -> Message {
        guard let raw = unsafe raw else { throw .noMemory }
        return unsafe Message(adopting: raw, bodySize: bodySize)
    }

    /// A method call that has no arguments yet.
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
        return try unsafe adopt(dbus_message_new_method_call(destination, path.string, interface, member))
    }

    /// A signal that has no arguments yet.
    ///
    /// - Throws: `DBusError` if a name is not valid.
    public static func signal(path: ObjectPath, interface: String, member: String) throws(DBusError) -> Message {
        try Names.check(interface: interface)
        try Names.check(member: member)
        return try unsafe adopt(dbus_message_new_signal(path.string, interface, member))
    }

    static func reply(to call: Message) throws(DBusError) -> Message {
        try unsafe adopt(dbus_message_new_method_return(call.raw))
    }

    static func error(_ error: DBusError, to call: Message) throws(DBusError) -> Message {
        try Names.check(errorName: error.name)
        try Names.check(text: error.message)
        return try unsafe adopt(dbus_message_new_error(call.raw, error.name, error.message))
    }

    /// A copy of the message without a serial. Sending a copy costs a fourteenth of building the message again.
    public func copy() throws(DBusError) -> Message {
        guard state == .complete else { throw Self.spoiled }
        return try unsafe Self.adopt(dbus_message_copy(raw), bodySize)
    }

    /// Lets the message be called again and again: each call sends a copy. From then on it cannot be changed.
    ///
    /// - Throws: `DBusError` if it was not written to its end.
    public func makeTemplate() throws(DBusError) {
        guard state == .complete else { throw Self.spoiled }
        isTemplate = true
        isPlainCallTemplate = isCall && !hasFileDescriptors
    }

    /// Whether it is a method call that wants a reply and was not sent before.
    var isCall: Bool { kind == .methodCall && serial == 0 && wantsReply }

    /// Whether it has file descriptors, which not every connection passes.
    var hasFileDescriptors: Bool { unsafe dbus_message_contains_unix_fds(raw) != 0 }

    /// Adds arguments to a message that was neither sent nor received.
    ///
    /// - Throws: what `body` throws, and `DBusError` if a value cannot be sent. The message is then unusable, and
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

    /// Whether the message's header can be changed: libdbus aborts the program if the message was sent.
    private var isChangeable: Bool { serial == 0 && state == .complete && !isTemplate }

    private func beginChange() throws(DBusError) {
        guard state == .complete else { throw Self.spoiled }
        guard isChangeable else {
            throw .invalidArguments("A message that was sent or received cannot be changed; change a copy")
        }
        readContents = nil
    }

    /// What the message has; nothing while it is written, or if writing has failed.
    var contents: MessageContents {
        if let readContents { return readContents }
        guard state == .complete, let contents = unsafe MessageContents(raw, paths) else {
            return MessageContents()
        }
        readContents = contents
        return contents
    }

    /// Reads the arguments, starting with the first.
    public var reader: MessageReader { MessageReader(contents) }

    /// Sends the call without starting a service for its destination: a client that asks for a daemon's objects should
    /// not hang in bus activation if the daemon is not running. Without effect once the message was sent.
    public func forbidAutoStart() {
        guard isChangeable else { return }
        unsafe dbus_message_set_auto_start(raw, 0)
    }

    /// Asks the receiver to send no answer. Without effect once the message was sent.
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
