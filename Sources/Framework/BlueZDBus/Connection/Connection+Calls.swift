import BlueZPrintableText
import CBlueZDBus

extension Connection {
    /// The identifier of a call that was sent and has no reply yet.
    public struct CallIdentifier: Hashable, Sendable {
        let serial: UInt32

        /// Used by dictionaries. Serials are this connection's own numbers, so nobody can choose colliding ones.
        public func _rawHashValue(seed: Int) -> Int {
            (Int(serial) ^ seed) &* 0x5851_F42D_4C95_7F2D >> 16
        }
    }

    /// Calls a method.
    ///
    /// `reply` is called exactly once, on the connection's loop, and never before this method returns.
    /// - Parameters:
    ///   - message: a method call, which must not have been sent before, or a template.
    ///   - timeout: how long to wait for the reply. Nil waits until the connection ends. libdbus's own default of 25 s
    ///     is not used.
    /// - Returns: an identifier for `cancel`, or nil if the message could not be sent.
    @discardableResult
    public func call(_ message: Message, timeout: Duration?, reply: @escaping CallReply) -> CallIdentifier? {
        call(message, limit: timeout.map(TimeLimit.init), reply: reply)
    }

    /// Calls a method, like `call(_:timeout:reply:)`, for callers that use the same limit repeatedly and may know the
    /// time.
    @discardableResult
    public func call(
        _ message: Message, limit: TimeLimit?, from now: MonotonicInstant? = nil, reply: @escaping CallReply
    ) -> CallIdentifier? {
        do throws(DBusError) {
            guard message.isPlainCallTemplate || message.isCall else {
                throw .invalidArguments("Only a method call that wants a reply and was not sent before can be called")
            }
            let identifier = CallIdentifier(serial: try transmit(message))
            let deadline = if let limit { (now ?? .now).advanced(by: limit) } else { MonotonicInstant?.none }
            add(PendingCall(reply: reply, limit: limit, deadline: deadline, message: message), identifier)
            if let deadline { watch(deadline) }
            updateInterest()
            return identifier
        } catch {
            refuse(reply, error)
            return nil
        }
    }

    /// Sends a message that has no reply: a signal, or a call whose `forbidReply` was called.
    ///
    /// - Throws: `DBusError` if the connection is closed, the message was not written completely, or it has file
    ///   descriptors that the bus does not accept.
    public func send(_ message: Message) throws(DBusError) {
        _ = try transmit(message)
        updateInterest()
    }

    private func transmit(_ message: Message) throws(DBusError) -> UInt32 {
        guard isOpen else { throw .disconnected() }
        guard message.state == .complete else { throw Message.spoiled }
        guard message.isPlainCallTemplate || !message.hasFileDescriptors || canPassFileDescriptors else {
            throw .invalidArguments("This connection does not pass file descriptors, or not before the reply to Hello")
        }
        guard let raw = unsafe message.raw else {
            throw .invalidArguments("A message that was received cannot be sent")
        }
        let serial = message.isTemplate ? try unsafe sendCopy(of: raw) : try unsafe send(raw: raw)
        trafficHandler?(.sent(message, serial: serial))
        return serial
    }

    private func sendCopy(of message: OpaquePointer) throws(DBusError) -> UInt32 {
        guard let copy = unsafe dbus_message_copy(message) else { throw .noMemory }
        defer { unsafe dbus_message_unref(copy) }
        return try unsafe send(raw: copy)
    }

    private func send(raw message: OpaquePointer) throws(DBusError) -> UInt32 {
        var serial: dbus_uint32_t = 0
        guard unsafe dbus_connection_send(raw, message, &serial) != 0 else { throw .noMemory }
        return serial
    }

    /// Forgets a call. Its `reply` is not called, and the reply is dropped when it arrives. The peer is not notified,
    /// because D-Bus has no way to cancel a call.
    public func cancel(_ identifier: CallIdentifier) {
        _ = remove(identifier)
    }

    // The table is moved out and back because of exclusivity checks (CONTRIBUTING, "Fast code").

    private func add(_ call: PendingCall, _ identifier: CallIdentifier) {
        var changed = calls
        calls = [:]
        changed[identifier] = call
        calls = changed
    }

    private func remove(_ identifier: CallIdentifier) -> PendingCall? {
        var changed = calls
        calls = [:]
        defer { calls = changed }
        return changed.removeValue(forKey: identifier)
    }

    func complete(_ message: Message) {
        guard let call = remove(CallIdentifier(serial: message.replySerial)) else { return }
        call.reply(.success(message))
    }

    func fail(_ message: Message) {
        guard let error = message.error, let call = remove(CallIdentifier(serial: message.replySerial)) else { return }
        call.reply(.failure(error))
    }

    private func watch(_ deadline: MonotonicInstant) {
        if let timer, timer <= deadline { return }
        setTimer(deadline)
    }

    func setTimer(_ instant: MonotonicInstant?) {
        guard let token, timer != instant else { return }
        timer = instant
        loop.setDeadline(instant, of: token)
    }

    func expireCalls() {
        guard let timer else { return }
        let now = MonotonicInstant.now
        guard timer <= now else { return }
        let due = calls.filter { $0.value.deadline.map { $0 <= now } ?? false }
        for identifier in due.sorted(by: Self.isEarlier).map(\.key) {
            guard let call = remove(identifier) else { continue }
            let time = call.limit.map { " within \($0.duration.roundedText)" } ?? ""
            let error = DBusError.timedOut("\(call.message.member ?? "the call") got no reply\(time)")
            trafficHandler?(.noReply(serial: identifier.serial, error))
            call.reply(.failure(error))
        }
        self.timer = nil
        setTimer(calls.values.compactMap(\.deadline).min())
    }

    private static func isEarlier(
        _ left: (key: CallIdentifier, value: PendingCall), _ right: (key: CallIdentifier, value: PendingCall)
    ) -> Bool {
        guard let first = left.value.deadline, let second = right.value.deadline, first != second else {
            return left.key.serial < right.key.serial
        }
        return first < second
    }

    func failAllCalls(_ error: DBusError) {
        deliverRefusedCalls()
        let pending = calls.sorted { $0.key.serial < $1.key.serial }
        calls = [:]
        for (identifier, call) in pending {
            trafficHandler?(.noReply(serial: identifier.serial, error))
            call.reply(.failure(error))
        }
    }

    /// Fails a call that could not be sent, in a later pass, so that a reply never runs inside `call`.
    private func refuse(_ reply: @escaping CallReply, _ error: DBusError) {
        refusedCalls = refusedCalls + [(reply, error)]
        guard refusedCalls.count == 1 else { return }
        if let token { return loop.requestPass(of: token) }
        let enter = enter
        _ = loop.schedule(after: .zero) { enter([]) }
    }

    func deliverRefusedCalls() {
        guard !refusedCalls.isEmpty else { return }
        let refused = refusedCalls
        refusedCalls = []
        for (reply, error) in refused { reply(.failure(error)) }
    }
}

/// A closure that gets the result of a call, once: the reply, or an error from the peer, the bus, the timeout or the
/// end of the connection.
public typealias CallReply = (Result<Message, DBusError>) -> Void

struct PendingCall {
    let reply: CallReply
    let limit: TimeLimit?
    let deadline: MonotonicInstant?
    /// For its name, if there is no reply.
    let message: Message
}
