import DBus

/// A call of one of bluetoothd's methods. It is kept until the reply is there, and keeps neither the client nor a manager.
@BluetoothActor final class Call {
    private let limiter: CallLimiter
    private let request: Request
    private let path: ObjectPath
    private let operation: AnyOperation?
    private let limit: TimeLimit
    private let build: @BluetoothActor (ObjectPath) throws(DBusError) -> Message
    private let reply: @BluetoothActor (Result<Message, DBusError>) -> Void
    private var attempt = 0

    /// - Parameters:
    ///   - request: what is requested. A request to an attribute is made again if the attribute is in use.
    ///   - operation: what the call is for. If it has ended by the time the call gets a slot, the call is not sent, and
    ///     `reply` does not run. With nil the call is sent in any case.
    ///   - limit: a backstop: operations have their own, shorter one.
    ///   - build: makes the message, anew for each attempt.
    ///   - reply: takes the reply, once.
    init(
        _ request: Request, at path: ObjectPath, for operation: AnyOperation?, limit: TimeLimit,
        in limiter: CallLimiter,
        build: @escaping @BluetoothActor (ObjectPath) throws(DBusError) -> Message,
        reply: @escaping @BluetoothActor (Result<Message, DBusError>) -> Void
    ) {
        self.request = request
        self.path = path
        self.operation = operation
        self.limit = limit
        self.limiter = limiter
        self.build = build
        self.reply = reply
    }

    /// Performs the call, now or when there is a slot for it. All calls about Bluetooth pass through here.
    ///
    /// - Parameter isNext: whether it has waited for a slot.
    /// - Returns: false if it waits for a slot.
    @discardableResult
    func perform(isNext: Bool = false) -> Bool {
        if let operation, !operation.isPending { return true }
        guard limiter.taken < limiter.capacity, isNext || !limiter.hasWaiting else {
            limiter.append(self)
            return false
        }
        limiter.taken += 1
        let now = MonotonicInstant.now
        operation?.startClock(now)
        if request == .read { limiter.channels.readBegins(path) }
        let receive: CallReply = { [self] result in
            if request == .read { limiter.channels.readEnds(path, isSuccess: result.isSuccess) }
            if case .failure(let error) = result, attempt < attempts(after: error) {
                _ = BluetoothActor.after(.milliseconds(10 << min(attempt, 6))) { self.perform() }
                attempt += 1
            } else {
                reply(result)
            }
            limiter.taken -= 1
            if limiter.hasWaiting { limiter.performWaiting() }
        }
        do throws(DBusError) {
            let message = try build(path)
            guard let connection = limiter.client?.connection else { throw .disconnected() }
            connection.call(message, limit: limit, from: now, reply: receive)
        } catch {
            BluetoothActor.later { receive(.failure(error)) }
        }
        return true
    }

    /// The requests of this process to an attribute wait for one another. So it is another program's request that is in
    /// progress, or a socket of this process that bluetoothd has not seen closed yet.
    private func attempts(after error: DBusError) -> Int {
        guard [.read, .write, .notify].contains(request) else { return 0 }
        let hadSocket = limiter.client?.releasedSockets.contains(path) == true
        return switch (error.name, error.message) {
        case ("org.bluez.Error.InProgress", _): 12
        case ("org.bluez.Error.NotPermitted", "Notify acquired") where hadSocket: 6
        case ("org.bluez.Error.NotPermitted", "Write acquired") where hadSocket: 6
        default: 0
        }
    }
}
