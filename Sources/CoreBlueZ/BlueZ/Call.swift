import DBus

/// A call of one of bluetoothd's methods, for `CallLimiter.perform`.
struct Call {
    /// What is requested. A request to an attribute is made again if the attribute is in use.
    let request: Request
    let path: ObjectPath
    /// What the call is for. If it has ended by the time the call gets a slot, the call is not sent, and `reply` does not
    /// run. With nil the call is sent in any case.
    let operation: AnyOperation?
    /// A backstop: operations have their own, shorter one.
    let limit: TimeLimit
    var attempt = 0
    /// Makes the message, anew for each attempt.
    let build: @BluetoothActor (ObjectPath) throws(DBusError) -> Message
    /// Takes the reply, once.
    let reply: @BluetoothActor (Result<Message, DBusError>) -> Void
}
