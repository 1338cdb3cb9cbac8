import CDBus
import FoundationEssentials

extension Message {
    /// The kind of the message.
    public var kind: Kind {
        switch unsafe dbus_message_get_type(raw) {
        case 1: .methodCall
        case 2: .methodReturn
        case 3: .error
        case 4: .signal
        default: .unknown
        }
    }

    /// The object that is called, or that the signal is about.
    public var path: ObjectPath? {
        let contents = contents
        return contents.header.path.map(contents.objectPath)
    }

    /// The interface of the method or signal. A call may lack it.
    public var interface: String? { unsafe text(dbus_message_get_interface(raw)) }

    /// The name of the method or signal.
    public var member: String? { unsafe text(dbus_message_get_member(raw)) }

    /// The unique name of the sender, written by the bus. Nil for messages from libdbus itself.
    public var sender: String? { unsafe text(dbus_message_get_sender(raw)) }

    /// The receiver; nil for broadcast signals.
    public var destination: String? { unsafe text(dbus_message_get_destination(raw)) }

    /// The signature of the arguments.
    public var signature: String { unsafe text(dbus_message_get_signature(raw)) ?? "" }

    /// The number by which the sender's connection knows the message; 0 until it is sent.
    public var serial: UInt32 { unsafe dbus_message_get_serial(raw) }

    /// The serial of the call that this message answers; 0 for calls and signals.
    public var replySerial: UInt32 { unsafe dbus_message_get_reply_serial(raw) }

    /// Whether the sender wants an answer.
    public var wantsReply: Bool { unsafe dbus_message_get_no_reply(raw) == 0 }

    /// The object's path as it stands in the message.
    public var pathText: MessageText? {
        let contents = contents
        return contents.header.path.map { MessageText(contents, $0) }
    }

    /// The sender as it stands in the message. Nil for what libdbus itself reports.
    public var senderText: MessageText? {
        let contents = contents
        return contents.header.sender.map { MessageText(contents, $0) }
    }

    /// Whether this is the given signal. Builds no strings.
    public func isSignal(_ interface: StaticString, _ member: StaticString) -> Bool {
        let contents = contents
        guard kind == .signal, let ownMember = contents.header.member, let ownInterface = contents.header.interface
        else {
            return false
        }
        return contents.isEqual(ownMember, member) && contents.isEqual(ownInterface, interface)
    }

    /// The error that the message carries; nil for other kinds. The text is the first argument, if that is a string.
    public var error: DBusError? {
        guard kind == .error else { return nil }
        let name = unsafe text(dbus_message_get_error_name(raw)) ?? DBusError.Name.failed
        var reader = reader
        let message = (try? reader.readString()) ?? ""
        return DBusError(name: name, message: message)
    }

    /// Reads the first argument, `ay`. A reader would copy the whole message for it.
    ///
    /// - Throws: `DBusError` if it is something else.
    public func firstBytes() throws(DBusError) -> Data {
        var iterator = unsafe DBusMessageIter()
        guard state == .complete, startsWithBytes, unsafe dbus_message_iter_init(raw, &iterator) != 0
        else { throw .invalidArguments("Expected an array of bytes in the message, found '\(signature)'") }
        var elements = unsafe DBusMessageIter()
        unsafe dbus_message_iter_recurse(&iterator, &elements)
        var start: UnsafePointer<UInt8>?
        var count: CInt = 0
        unsafe withUnsafeMutablePointer(to: &start) { start in
            unsafe dbus_message_iter_get_fixed_array(&elements, start, &count)
        }
        guard let start = unsafe start, count > 0 else { return Data() }
        return unsafe Data(bytes: start, count: Int(count))
    }

    private var startsWithBytes: Bool {
        guard let signature = unsafe dbus_message_get_signature(raw) else { return false }
        return unsafe CInt(signature[0]) == TypeCode.array && CInt(signature[1]) == TypeCode.byte
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }
}
