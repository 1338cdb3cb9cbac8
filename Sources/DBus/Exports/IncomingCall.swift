/// A method call that somebody sent to one of our objects. It is answered exactly once: where whoever has it lets go of it
/// without an answer, the caller gets an error.
public final class IncomingCall {
    /// The call itself.
    public let message: Message

    private weak var connection: Connection?
    private var isAnswered: Bool

    init(_ message: Message, on connection: Connection) {
        self.message = message
        self.connection = connection
        isAnswered = !message.wantsReply
    }

    deinit {
        guard !isAnswered else { return }
        answer { (call) throws(DBusError) in
            try Message.error(DBusError(name: DBusError.Name.failed, message: "The call was dropped"), to: call)
        }
    }

    /// Reads the arguments from the first on.
    public var reader: MessageReader { message.reader }

    /// The caller's unique name.
    public var sender: String { message.sender ?? "" }

    /// Answers with the values that `write` appends. A second answer is dropped.
    public func reply(_ write: (inout MessageWriter) throws(DBusError) -> Void = { (_) throws(DBusError) in }) {
        answer { (call) throws(DBusError) in
            let reply = try Message.reply(to: call)
            do throws(DBusError) {
                try reply.write(write)
                return reply
            } catch {
                return try Message.error(error, to: call)
            }
        }
    }

    /// Refuses the call. A second answer is dropped.
    public func fail(_ error: DBusError) {
        answer { (call) throws(DBusError) in try Message.error(error, to: call) }
    }

    /// Refuses the call with a name and a text.
    public func fail(_ name: String, _ message: String) {
        fail(DBusError(name: name, message: message))
    }

    /// Never answers: for a simulation of a peer that loses replies.
    public func abandon() {
        isAnswered = true
    }

    private func answer(_ build: (Message) throws(DBusError) -> Message) {
        guard !isAnswered else { return }
        isAnswered = true
        do throws(DBusError) {
            try connection?.send(build(message))
        } catch {
            // The caller's bus connection or ours is gone, or memory is: there is nobody left to tell.
        }
    }
}
