import CBlueZDBus

/// A private connection to a message bus.
///
/// It is neither Sendable nor isolated. An object on an actor whose executor is the connection's loop creates it, owns
/// it, and uses it only there. The actor runs on the loop's thread, so the loop calls `process(_:)` when there is
/// something to read or write. The owner calls `close()` before it releases the connection.
@safe public final class Connection {
    /// Called with every signal, in the order of arrival.
    public var signalHandler: ((Message) -> Void)? {
        get { handleSignal }
        set { handleSignal = newValue }
    }

    /// Called once when the connection is lost, but not during or after `close()`. By then, all pending calls have
    /// failed.
    public var disconnectHandler: ((DBusError) -> Void)?

    /// A message that passes through a connection, or the failure of a call.
    public enum Traffic {
        /// A message that was sent, with its serial. It may still be on its way to the bus.
        case sent(Message, serial: UInt32)
        /// A message that arrived.
        case received(Message)
        /// A call that ended without a reply: its timeout has passed, or the connection was lost.
        case noReply(serial: UInt32, DBusError)
    }

    /// Called with all traffic, in order, before any other handler. For logs. Nil, the default, costs nothing.
    public var trafficHandler: ((Traffic) -> Void)? {
        get { handleTraffic }
        set { handleTraffic = newValue }
    }

    /// Called for each call that reaches a method of an exported object or of a standard interface, with the
    /// interface's name. Returns true if it has taken over the call.
    package var callFilter: ((IncomingCall, _ interface: String) -> Bool)?

    /// Called before each reply is sent, for signals that must precede it.
    package var willReply: (() -> Void)?

    /// The unique name that the bus assigned in its reply to Hello.
    public internal(set) var uniqueName: String?

    let raw: OpaquePointer
    let loop: EventLoop
    var token: EventLoop.Token?
    var calls: [CallIdentifier: PendingCall] = [:]
    /// The time of the loop's next call, which is not later than the first deadline, but may be that of a call that has
    /// its reply.
    var timer: MonotonicInstant?
    // Stored separately from the public properties, so that the compiler sees all uses and can omit exclusivity checks.
    private var handleSignal: ((Message) -> Void)?
    private var handleTraffic: ((Traffic) -> Void)?
    private var interest: (descriptor: CInt, events: PollEvents)?
    let enter: @Sendable (PollEvents) -> Void
    private var isSuspended = false
    /// Whether the bus has hung up while there was nothing to read. Polling would report that again and again.
    private var hasHungUp = false
    /// Whether all messages that were read are delivered.
    private var isDrained = true
    var refusedCalls: [(reply: CallReply, error: DBusError)] = []
    let exports = ExportTable()
    let watches = WatchSet()
    /// The object that reads messages, after libdbus has authenticated.
    private var loader: MessageLoader?
    /// The maximum number of messages that one pass of the loop delivers, so that other work continues during a flood.
    static let messagesPerPass = 256
    private static let hangUp: PollEvents = [.hangUp, .error]

    /// Creates a connection to a bus, and starts to authenticate. Call `hello` next.
    ///
    /// - Parameters:
    ///   - address: the address of the bus: a Unix socket, or a list of addresses, whose Unix sockets are tried.
    ///     Connecting waits only if a socket's queue of callers is full.
    ///   - process: called on the loop's thread instead of `process(_:)`, which it must call: for an owner that needs
    ///     the end of each pass. It must hold the owner weakly, because the connection keeps the closure.
    /// - Throws: `DBusError` if the address has no listener, is malformed, or names no Unix socket
    ///   (`DBusError.Name.notSupported`).
    public init(
        to address: ServerAddress,
        loop: EventLoop,
        process: (@Sendable (PollEvents) -> Void)? = nil
    ) throws(DBusError) {
        let sockets = try address.unixSockets()
        dbus_connection_set_change_sigpipe(0)
        var error = DBusErrorStorage()
        guard let raw = unsafe dbus_connection_open_private(sockets, &error.raw) else {
            throw error.take()
        }
        unsafe self.raw = unsafe raw
        self.loop = loop
        let entry = Entry()
        enter = process ?? entry.process
        unsafe dbus_connection_set_exit_on_disconnect(raw, 0)
        // libdbus reads until it has authenticated, but no message (dbus/dbus-transport-socket.c: check_read_watch).
        unsafe dbus_connection_set_max_received_size(raw, 0)
        do throws(DBusError) {
            try unsafe watches.start(raw)
        } catch {
            unsafe dbus_connection_close(raw)
            throw error
        }
        entry.connection = self
        token = loop.addSource(descriptor: watches.descriptor, events: watches.events, handler: enter)
    }

    /// The entry point for the loop, which retains this object instead of the connection.
    private final class Entry {
        weak var connection: Connection?

        /// The closure is Sendable for the loop, which calls it only on its own thread, where the connection is used.
        var process: @Sendable (PollEvents) -> Void {
            let process: (PollEvents) -> Void = { events in self.connection?.process(events) }
            return unsafe unsafeBitCast(process, to: (@Sendable (PollEvents) -> Void).self)
        }
    }

    /// Fails what is still pending. The owner should have closed the connection.
    deinit {
        close()
        deliverRefusedCalls()
        unsafe dbus_connection_unref(raw)
    }

    /// Whether messages can be sent.
    public var isOpen: Bool { token != nil }

    /// Whether the peer can pass file descriptors. This is known after the reply to Hello.
    public var canPassFileDescriptors: Bool {
        unsafe dbus_connection_can_send_type(raw, TypeCode.fileDescriptor) != 0
    }

    /// Closes the connection. Pending calls fail with `DBusError.disconnected` before this method returns. You can call
    /// it from any handler of the connection.
    public func close() {
        signalHandler = nil
        disconnectHandler = nil
        guard isOpen else { return }
        flushWithoutWaiting()
        detach()
        failAllCalls(.disconnected())
    }

    private func detach() {
        guard let token = self.token.take() else { return }
        loop.removeSource(token)
        // A child process between fork and exec also has the socket open. Only closing it would leave the connection,
        // and its names, on the bus until then.
        _ = shutdown(loader?.descriptor ?? watches.descriptor, CInt(SHUT_RDWR))
        loader = nil
        unsafe watches.stop(raw)
        unsafe dbus_connection_close(raw)
    }

    /// Sends the last messages, as far as the socket accepts them immediately.
    private func flushWithoutWaiting() {
        if unsafe dbus_connection_has_messages_to_send(raw) != 0 { watches.handle(.writable) }
    }

    /// Accepts no messages until `resume`, so that an owner that is busy with one keeps the order. They wait in the
    /// socket.
    public func suspend() {
        isSuspended = true
        setInterest()
    }

    /// Accepts messages again.
    public func resume() {
        guard isSuspended else { return }
        isSuspended = false
        hasHungUp = false
        if let token { loop.requestPass(of: token) }
        setInterest()
    }

    /// Reads, writes and delivers what is ready. If there is a closure `process`, only that calls this method.
    public func process(_ events: PollEvents) {
        guard isOpen else { return deliverRefusedCalls() }
        let isDrained: Bool
        if isSuspended, !events.isDisjoint(with: Self.hangUp) {
            hasHungUp = true
            setInterest()
        }
        do throws(DBusError) {
            try exchange(isSuspended ? events.intersection(.writable) : events)
            deliverRefusedCalls()
            isDrained = try deliver()
        } catch {
            return lose(error)
        }
        // The loop passes no events for a deadline.
        if events.isEmpty { expireCalls() }
        guard let token else { return }
        if !isDrained, !isSuspended { loop.requestPass(of: token) }
        if calls.isEmpty { setTimer(nil) }
        updateInterest()
    }

    /// Lets libdbus write, and read until it has authenticated. After that, this side reads.
    private func exchange(_ ready: PollEvents) throws(DBusError) {
        guard let loader else {
            if !ready.isEmpty { watches.handle(ready) }
            return try startReading()
        }
        if ready.contains(.writable) { watches.handle(.writable) }
        if isDrained, !ready.subtracting(.writable).isEmpty { _ = try read(loader) }
    }

    /// Whether libdbus has authenticated, perhaps while sending a message, and no longer reads.
    private var canRead: Bool {
        guard loader == nil, watches.descriptor >= 0 else { return false }
        return unsafe dbus_connection_get_is_authenticated(raw) != 0
    }

    private func startReading() throws(DBusError) {
        guard canRead else { return }
        loader = try MessageLoader(duplicating: watches.descriptor)
        setInterest()
    }

    /// Delivers the messages that were read.
    ///
    /// - Returns: whether all were delivered.
    private func deliver() throws(DBusError) -> Bool {
        guard let loader else {
            guard watches.descriptor >= 0 else { throw loss }
            return true
        }
        isDrained = false
        for _ in 0..<Self.messagesPerPass {
            guard isOpen, !isSuspended else { return false }
            var message = try next(loader)
            guard message != nil else {
                // libdbus may also find the end of the connection while sending. Messages received before it are
                // delivered.
                if watches.descriptor < 0, !loader.hasEnded, try read(loader) { continue }
                guard watches.descriptor >= 0, !loader.hasEnded else { throw loss }
                isDrained = true
                return true
            }
            if let message {
                handleTraffic?(.received(message))
                dispatch(message)
            }
            loader.release(&message)
        }
        return false
    }

    private func next(_ loader: MessageLoader) throws(DBusError) -> Message? {
        do throws(InvalidMessage) {
            return try loader.next()
        } catch {
            throw .disconnected("The bus sent what is no message: \(error.reason)")
        }
    }

    private func read(_ loader: MessageLoader) throws(DBusError) -> Bool {
        do throws(InvalidMessage) {
            return try loader.read()
        } catch {
            throw .disconnected("The bus sent what is no message: \(error.reason)")
        }
    }

    /// Updates the events for which the loop waits, if libdbus's have changed.
    func updateInterest() {
        if watches.takeChange() { setInterest() }
    }

    /// Sets the events for which the loop waits. If libdbus has no descriptor left, it has detected the loss of the
    /// connection, perhaps while sending.
    private func setInterest() {
        guard let token else { return }
        let descriptor = hasHungUp ? -1 : loader?.descriptor ?? watches.descriptor
        var events = watches.events
        if loader != nil { events.insert(.readable) }
        if isSuspended { events.remove(.readable) }
        if interest?.descriptor != descriptor || interest?.events != events {
            interest = (descriptor, events)
            loop.updateSource(token, descriptor: descriptor, events: events)
        }
        if watches.descriptor < 0 || canRead { loop.requestPass(of: token) }
    }

    private func dispatch(_ message: Message) {
        switch message.kind {
        case .methodReturn: complete(message)
        case .error: fail(message)
        case .methodCall: reply(to: message)
        case .signal: handleSignal?(message)
        case .unknown: break
        }
    }

    /// The error of a lost connection. A bus that refuses this user only hangs up before authentication is complete.
    private var loss: DBusError {
        guard unsafe dbus_connection_get_is_authenticated(raw) == 0 else {
            return .disconnected("The connection to the bus was lost")
        }
        return DBusError(
            name: DBusError.Name.authenticationFailed,
            message: "The bus hung up before it had authenticated this user; check its policy",
            isLocal: true
        )
    }

    private func lose(_ error: DBusError) {
        detach()
        failAllCalls(error)
        let handler = disconnectHandler
        signalHandler = nil
        disconnectHandler = nil
        handler?(error)
    }
}

/// The C structure into which libdbus writes errors.
@safe struct DBusErrorStorage {
    var raw: CBlueZDBus.DBusError

    init() {
        unsafe raw = CBlueZDBus.DBusError()
        unsafe dbus_error_init(&raw)
    }

    mutating func take() -> DBusError {
        defer { unsafe dbus_error_free(&raw) }
        guard let name = unsafe raw.name, let message = unsafe raw.message else {
            return DBusError(name: DBusError.Name.failed, message: "The library libdbus gave no reason", isLocal: true)
        }
        return unsafe DBusError(name: String(cString: name), message: String(cString: message), isLocal: true)
    }
}
