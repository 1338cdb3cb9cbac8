import CBlueZDBus
import FoundationEssentials

extension Message {
    /// The kind of the message.
    public var kind: Kind {
        guard let raw = unsafe raw else { return contents.header.kind }
        return Kind(UInt8(truncatingIfNeeded: unsafe dbus_message_get_type(raw))) ?? .unknown
    }

    /// The called object, or the source of the signal.
    public var path: ObjectPath? {
        let contents = contents
        return contents.header.path.map(contents.objectPath)
    }

    /// The interface of the method or signal. A call may have none.
    public var interface: String? { text(contents.header.interface) }

    /// The name of the method or signal.
    public var member: String? { text(contents.header.member) }

    /// The unique name of the sender, written by the bus.
    public var sender: String? { text(contents.header.sender) }

    /// The receiver; nil for broadcast signals.
    public var destination: String? { text(contents.header.destination) }

    /// The signature of the arguments.
    public var signature: String { text(contents.header.signature) ?? "" }

    /// The message's number on the sender's connection; 0 until it is sent.
    public var serial: UInt32 {
        guard let raw = unsafe raw else { return contents.serial }
        return unsafe dbus_message_get_serial(raw)
    }

    /// The serial of the call to which this message replies; 0 for calls and signals.
    public var replySerial: UInt32 { contents.header.replySerial }

    /// Whether the sender wants a reply.
    public var wantsReply: Bool {
        guard let raw = unsafe raw else { return contents.wantsReply }
        return unsafe dbus_message_get_no_reply(raw) == 0
    }

    /// The object's path, without a copy.
    public var pathText: MessageText? {
        let contents = contents
        return contents.header.path.map { MessageText(contents, $0) }
    }

    /// The sender, without a copy. Nil for messages from libdbus itself.
    public var senderText: MessageText? {
        let contents = contents
        return contents.header.sender.map { MessageText(contents, $0) }
    }

    /// Returns whether this is the given signal. It creates no strings.
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
        var reader = reader
        let message = (try? reader.readString()) ?? ""
        return DBusError(name: text(contents.header.errorName) ?? DBusError.Name.failed, message: message)
    }

    /// Reads the first argument, `ay`.
    ///
    /// - Throws: `DBusError` if it is something else.
    public func firstBytes() throws(DBusError) -> Data {
        var reader = reader
        return try reader.readData()
    }

    private func text(_ text: WireBytes.Text?) -> String? {
        let contents = contents
        return text.map(contents.string)
    }
}
