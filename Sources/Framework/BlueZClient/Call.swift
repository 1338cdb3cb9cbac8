import BlueZDBus

/// A call of one of bluetoothd's methods. It is retained until its reply arrives, but retains neither the client nor a
/// manager.
@BluetoothActor protocol Call: AnyObject {
    /// The kind of request. A request to an attribute is repeated if the attribute is in use.
    var request: Request { get }
    /// The object that has the method. Nil in an operation without an object, which makes no call.
    var subject: ObjectPath? { get }
    /// The limiter that keeps the calls in flight below the bus's limit. Nil in an operation whose manager is gone,
    /// which makes no call.
    var limiter: CallLimiter? { get }
    /// The limit of the call, which is a backstop: operations have their own, shorter one.
    var callLimit: TimeLimit { get }
    /// The operation that needs the call. If it has ended by the time the call gets a slot, the call is not sent, and
    /// `receive` does not run. With nil the call is always sent.
    var operation: AnyOperation? { get }
    /// The number of times that the call was repeated.
    var attempt: Int { get set }
    /// Creates the message for an attempt.
    func makeMessage(_ path: ObjectPath) throws(DBusError) -> Message
    /// Receives the reply, once.
    func receive(_ reply: Result<Message, DBusError>)
}

extension Call {
    /// Performs the call, now or when there is a slot for it. All calls of bluetoothd use this method.
    ///
    /// - Parameter isNext: whether it has waited for a slot.
    /// - Returns: false if it waits for a slot.
    @discardableResult
    func perform(isNext: Bool = false) -> Bool {
        guard let limiter, let subject, operation?.isPending != false else { return true }
        guard limiter.hasSlot(isNext: isNext) else {
            limiter.append(self)
            return false
        }
        limiter.taken += 1
        let now = MonotonicInstant.now
        operation?.startClock(now)
        if request == .read, limiter.channels.hasChannels { limiter.channels.readBegins(subject) }
        // A closure that captures only the call needs no memory of its own.
        let reply: CallReply = { [self] result in
            guard let limiter = self.limiter else { return }
            if request == .read, limiter.channels.hasChannels, let subject = self.subject {
                limiter.channels.readEnds(subject, isSuccess: result.isSuccess)
            }
            if case .failure(let error) = result, attempt < attempts(after: error) {
                let first = (limiter.client?.timeouts ?? Timeouts()).callBackOff
                let delay = Duration.delay(beforeAttempt: attempt, first: first, longest: first * 64)
                _ = BluetoothActor.after(delay) { self.perform() }
                attempt += 1
            } else {
                receive(result)
            }
            limiter.taken -= 1
            if limiter.hasWaiting { limiter.performWaiting() }
        }
        do throws(DBusError) {
            let message = try makeMessage(subject)
            guard let connection = limiter.connection else { throw .disconnected() }
            connection.call(message, limit: callLimit, from: now, reply: reply)
        } catch {
            BluetoothActor.perform { reply(.failure(error)) }
        }
        return true
    }

    /// Returns how often to repeat a call after an error. This process's requests to an attribute wait for one another,
    /// so the request in progress is another program's, or bluetoothd has not yet noticed that a socket of this process
    /// was closed.
    private func attempts(after error: DBusError) -> Int {
        guard [.read, .write, .notify].contains(request), let subject else { return 0 }
        let hadSocket = limiter?.client?.releasedSockets.contains(subject) == true
        return switch (error.bluezName, error.message) {
        case (.inProgress, _): 12
        case (.notPermitted, "Notify acquired") where hadSocket: 6
        case (.notPermitted, "Write acquired") where hadSocket: 6
        default: 0
        }
    }
}

/// A call of which only the reply matters.
@BluetoothActor final class MethodCall: Call {
    let request = Request.other
    let subject: ObjectPath?
    let limiter: CallLimiter?
    let callLimit: TimeLimit
    let operation: AnyOperation?
    var attempt = 0
    private let message: Message
    private let reply: @BluetoothActor (Result<Message, DBusError>) -> Void

    init(
        _ message: Message, at path: ObjectPath, for operation: AnyOperation?, limit: TimeLimit,
        in limiter: CallLimiter,
        reply: @escaping @BluetoothActor (Result<Message, DBusError>) -> Void
    ) {
        self.message = message
        subject = path
        self.operation = operation
        callLimit = limit
        self.limiter = limiter
        self.reply = reply
    }

    func makeMessage(_ path: ObjectPath) -> Message { message }

    func receive(_ reply: Result<Message, DBusError>) { self.reply(reply) }
}
