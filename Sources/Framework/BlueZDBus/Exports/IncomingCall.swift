/// A method call to an exported object. It gets exactly one reply. If it is released without one, the caller gets an
/// error.
public final class IncomingCall {
    /// The call itself.
    public let message: Message

    private weak var connection: Connection?
    private var hasReplied: Bool

    init(_ message: Message, on connection: Connection) {
        self.message = message
        self.connection = connection
        hasReplied = !message.wantsReply
    }

    deinit {
        guard !hasReplied else { return }
        fail(DBusError.Name.failed, "The call was dropped")
    }

    /// Reads the arguments, starting with the first.
    public var reader: MessageReader { message.reader }

    /// The caller's unique name.
    public var sender: String { message.sender ?? "" }

    /// Replies with the values that `write` appends. A second reply is dropped. If `write` throws, or appends something
    /// that cannot be sent, the caller gets that error.
    public func reply(_ write: (inout MessageWriter) throws(DBusError) -> Void = { (_) throws(DBusError) in }) {
        send { (call) throws(DBusError) in
            let reply = try Message.reply(to: call)
            try reply.write(write)
            return reply
        }
    }

    /// Replies with an error. A second reply is dropped. A name that D-Bus does not allow becomes
    /// `org.freedesktop.DBus.Error.Failed`.
    public func fail(_ error: DBusError) {
        send { (_) throws(DBusError) in throw error }
    }

    /// Replies with an error that has this name and text.
    public func fail(_ name: String, _ message: String) {
        fail(DBusError(name: name, message: message))
    }

    /// Never replies. This simulates a peer that loses replies.
    public func abandon() {
        hasReplied = true
    }

    private func send(_ build: (Message) throws(DBusError) -> Message) {
        guard !hasReplied else { return }
        hasReplied = true
        guard let connection, connection.isOpen else { return }
        connection.willReply?()
        do throws(DBusError) {
            try connection.send(build(message))
        } catch {
            refuse(error, on: connection)
        }
    }

    private func refuse(_ error: DBusError, on connection: Connection) {
        var error = error
        error.message.unicodeScalars.removeAll { $0 == "\0" }
        if (try? Names.check(errorName: error.name)) == nil { error.name = DBusError.Name.failed }
        guard let message = try? Message.error(error, to: message) else { return }
        try? connection.send(message)
    }
}
