import BlueZDBus

/// An object of a client, which bluetoothd calls.
@BlueZServerActor struct ClientObject {
    let owner: String
    let path: ObjectPath
    let interface: String
    let server: ObjectServer

    /// Calls a method. `reply` is called once. The default timeout is libdbus's, which bluetoothd usually does not
    /// change.
    ///
    /// - Returns: nil if the call cannot be sent.
    @discardableResult
    func call(
        _ member: String, _ arguments: [Value], timeout: Duration = .seconds(25), reply: @escaping CallReply
    ) -> Connection.CallIdentifier? {
        guard let message = message(member, arguments), let connection = server.connection else {
            reply(.failure(BlueZError.failed("D-Bus send failed")))
            return nil
        }
        return connection.call(message, timeout: timeout, reply: reply)
    }

    /// Calls a method without waiting for its reply.
    func tell(_ member: String, _ arguments: [Value] = []) {
        guard let message = message(member, arguments) else { return }
        message.forbidReply()
        try? server.connection?.send(message)
    }

    private func message(_ member: String, _ arguments: [Value]) -> Message? {
        server.flush()
        guard let message = try? Message.methodCall(to: owner, path: path, interface: interface, member: member),
            (try? message.write { (writer) throws(DBusError) in for each in arguments { try writer.append(each) } })
                != nil
        else { return nil }
        return message
    }
}
