import CDBus

/// How a call ends, once: with the reply, or with an error from the peer, the bus, the timeout or the end of the
/// connection.
public typealias CallReply = (Result<Message, DBusError>) -> Void

struct PendingCall {
    let reply: CallReply
    let timeout: Duration?
    /// For its name, if the call is not answered.
    let message: Message
}

extension Connection {
    /// A call that was sent and has not been answered yet.
    public struct CallIdentifier: Hashable, Sendable {
        let serial: UInt32
    }

    /// Calls a method.
    ///
    /// `reply` runs exactly once, on the connection's loop and never before this returns.
    /// - Parameters:
    ///   - message: a method call, which must not have been sent before.
    ///   - timeout: how long to wait for the answer; nil waits until the connection ends. libdbus's own default
    ///     of 25 s is not used.
    /// - Returns: what `cancel` takes; nil if the message could not be sent.
    @discardableResult
    public func call(_ message: Message, timeout: Duration?, reply: @escaping CallReply) -> CallIdentifier? {
        do throws(DBusError) {
            guard message.kind == .methodCall, message.serial == 0, message.wantsReply else {
                throw .invalidArguments("Only a method call that wants a reply and was not sent before can be called")
            }
            let serial = try transmit(message)
            calls[serial] = PendingCall(reply: reply, timeout: timeout, message: message)
            if let timeout { setDeadline(MonotonicInstant.now.advanced(by: timeout), for: serial) }
            updateInterest()
            return CallIdentifier(serial: serial)
        } catch {
            refuse(reply, error)
            return nil
        }
    }

    /// Sends a message that has no answer: a signal, or a call whose `forbidReply` was called.
    ///
    /// - Throws: `DBusError` if the connection is closed, the message was not written to its end, or it has file
    ///   descriptors that the bus does not take.
    public func send(_ message: Message) throws(DBusError) {
        _ = try transmit(message)
        updateInterest()
    }

    private func transmit(_ message: Message) throws(DBusError) -> UInt32 {
        guard isOpen else { throw .disconnected() }
        guard message.state == .complete else { throw Message.spoiled }
        guard unsafe dbus_message_contains_unix_fds(message.raw) == 0 || canPassFileDescriptors else {
            throw .invalidArguments("This connection does not pass file descriptors, or not before Hello was answered")
        }
        var serial: dbus_uint32_t = 0
        guard unsafe dbus_connection_send(raw, message.raw, &serial) != 0 else { throw .noMemory }
        trafficHandler?(.sent(message, serial: serial))
        return serial
    }

    /// Forgets a call: its `reply` does not run, and the answer is dropped when it comes. The peer does not learn of
    /// it: D-Bus has no way to cancel a call.
    public func cancel(_ identifier: CallIdentifier) {
        calls[identifier.serial] = nil
    }

    func complete(_ message: Message) {
        guard let call = calls.removeValue(forKey: message.replySerial) else { return }
        if let error = message.error {
            call.reply(.failure(error))
        } else {
            call.reply(.success(message))
        }
    }

    private func setDeadline(_ deadline: MonotonicInstant, for serial: UInt32) {
        deadlines.add(serial, at: deadline, among: calls.count) { calls[$0] != nil }
        if alarm.map({ deadline < $0 }) ?? true { setAlarm(deadline) }
    }

    func setAlarm(_ instant: MonotonicInstant?) {
        guard let token, alarm != instant else { return }
        alarm = instant
        loop.setDeadline(instant, of: token)
    }

    func expireCalls() {
        guard let alarm else { return }
        let now = MonotonicInstant.now
        guard alarm <= now else { return }
        while let serial = deadlines.popDue(now, isCurrent: { calls[$0] != nil }) {
            guard let call = calls.removeValue(forKey: serial) else { continue }
            let time = call.timeout.map { " within \($0)" } ?? ""
            let error = DBusError.timedOut("\(call.message.member ?? "the call") was not answered\(time)")
            trafficHandler?(.unanswered(serial: serial, error))
            call.reply(.failure(error))
        }
        self.alarm = nil
        setAlarm(deadlines.earliest { calls[$0] != nil })
    }

    func failAllCalls(_ error: DBusError) {
        deliverRefusedCalls()
        let pending = calls.sorted { $0.key < $1.key }
        calls.removeAll()
        deadlines.removeAll()
        for (serial, call) in pending {
            trafficHandler?(.unanswered(serial: serial, error))
            call.reply(.failure(error))
        }
    }

    /// A call that could not even be sent fails in a turn of its own, so that a reply never runs inside `call`.
    private func refuse(_ reply: @escaping CallReply, _ error: DBusError) {
        refusedCalls.append((reply, error))
        guard refusedCalls.count == 1 else { return }
        if let token { return loop.requestTurn(of: token) }
        let enter = enter
        _ = loop.schedule(after: .zero) { enter([]) }
    }

    func deliverRefusedCalls() {
        guard !refusedCalls.isEmpty else { return }
        let refused = refusedCalls
        refusedCalls.removeAll()
        for (reply, error) in refused { reply(.failure(error)) }
    }
}
