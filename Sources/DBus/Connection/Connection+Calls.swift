import CDBus

/// What a call ends with, once: the reply's message, or the error that the peer, the bus, the deadline or the end of the
/// connection made.
public typealias CallReply = (Result<Message, DBusError>) -> Void

struct PendingCall {
    let reply: CallReply
    let deadline: SuspendingClock.Instant?
    let allowed: Duration?
    let member: String
}

extension Connection {
    /// A call that was sent and not yet answered.
    public struct CallIdentifier: Hashable, Sendable {
        let serial: UInt32
    }

    /// Calls a method.
    ///
    /// `reply` runs exactly once, on the connection's loop and never before this returns.
    /// - Parameters:
    ///   - message: a method call, which must not have been sent before.
    ///   - deadline: how long to wait for the answer; nil waits as long as the connection lives. libdbus's own default of
    ///     25 s is not used.
    /// - Returns: what `cancel` takes; nil where the message could not be sent.
    @discardableResult
    public func call(_ message: Message, deadline: Duration?, reply: @escaping CallReply) -> CallIdentifier? {
        var serial: dbus_uint32_t = 0
        guard isOpen else {
            refuse(reply, .disconnected())
            return nil
        }
        guard unsafe dbus_connection_send(raw, message.raw, &serial) != 0 else {
            refuse(reply, .noMemory)
            return nil
        }
        calls[serial] = PendingCall(
            reply: reply,
            deadline: deadline.map { SuspendingClock().now.advanced(by: $0) },
            allowed: deadline,
            member: message.member ?? "the call"
        )
        updateInterest()
        return CallIdentifier(serial: serial)
    }

    /// Sends a message that has no answer: a signal, or a call whose `forbidReply` was called.
    ///
    /// - Throws: `DBusError` where the connection is closed.
    public func send(_ message: Message) throws(DBusError) {
        guard isOpen else { throw .disconnected() }
        guard unsafe dbus_connection_send(raw, message.raw, nil) != 0 else { throw .noMemory }
        updateInterest()
    }

    /// Forgets a call: its `reply` does not run, and the answer is dropped when it comes. The peer is not told, D-Bus has no
    /// way to.
    public func cancel(_ identifier: CallIdentifier) {
        calls.removeValue(forKey: identifier.serial)
        updateInterest()
    }

    func complete(_ message: Message) {
        guard let call = calls.removeValue(forKey: message.replySerial) else { return }
        if let error = message.error {
            call.reply(.failure(error))
        } else {
            call.reply(.success(message))
        }
    }

    func expireCalls() {
        guard !calls.isEmpty else { return }
        let now = SuspendingClock().now
        let late = calls.filter { ($0.value.deadline ?? now.advanced(by: .seconds(1))) <= now }
        for serial in late.keys.sorted() {
            guard let call = calls.removeValue(forKey: serial) else { continue }
            let time = call.allowed.map { " within \($0)" } ?? ""
            call.reply(.failure(.timedOut("\(call.member) was not answered\(time)")))
        }
    }

    func failAllCalls(_ error: DBusError) {
        deliverRefusedCalls()
        let pending = calls.sorted { $0.key < $1.key }
        calls.removeAll()
        for (_, call) in pending { call.reply(.failure(error)) }
        deliverRefusedCalls()
    }

    /// A call that could not even be sent fails in the next turn, so that a reply never runs inside `call`. Where the
    /// connection is closed there is no next turn of its own, and a deadline of zero on the loop would need a Sendable
    /// closure: the owner sees the error at once then.
    private func refuse(_ reply: @escaping CallReply, _ error: DBusError) {
        guard let token else { return reply(.failure(error)) }
        refusedCalls.append((reply, error))
        loop.requestTurn(of: token)
    }

    func deliverRefusedCalls() {
        while !refusedCalls.isEmpty {
            let (reply, error) = refusedCalls.removeFirst()
            reply(.failure(error))
        }
    }
}
