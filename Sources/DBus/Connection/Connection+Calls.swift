import CDBus

/// How a call ends, once: with the reply, or with an error from the peer, the bus, the timeout or the end of the
/// connection.
public typealias CallReply = (Result<Message, DBusError>) -> Void

struct PendingCall {
    let reply: CallReply
    let timeout: Duration?
    let member: String
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
            calls[serial] = PendingCall(reply: reply, timeout: timeout, member: message.member ?? "the call")
            deadlines.set(timeout.map { SuspendingClock().instant(after: $0) }, for: serial)
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
        removeCall(identifier.serial)
        updateInterest()
    }

    @discardableResult
    private func removeCall(_ serial: UInt32) -> PendingCall? {
        deadlines.set(nil, for: serial)
        return calls.removeValue(forKey: serial)
    }

    func complete(_ message: Message) {
        guard let call = removeCall(message.replySerial) else { return }
        if let error = message.error {
            call.reply(.failure(error))
        } else {
            call.reply(.success(message))
        }
    }

    func expireCalls() {
        guard deadlines.earliest != nil else { return }
        let now = SuspendingClock().now
        while let serial = deadlines.popDue(now) {
            guard let call = calls.removeValue(forKey: serial) else { continue }
            let time = call.timeout.map { " within \($0)" } ?? ""
            let error = DBusError.timedOut("\(call.member) was not answered\(time)")
            trafficHandler?(.unanswered(serial: serial, error))
            call.reply(.failure(error))
        }
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
        let refused = refusedCalls
        refusedCalls.removeAll()
        for (reply, error) in refused { reply(.failure(error)) }
    }
}
