import CDBus

/// A private connection to a message bus.
///
/// Not Sendable and not isolated: an object on an actor whose executor is the connection's loop makes it, owns it, and
/// uses it only there. The actor runs on the loop's thread, so the loop calls `process(_:)` when there is something to
/// read or write. The owner calls `close()` before it releases the connection.
@safe public final class Connection {
    /// Called for every signal, in arrival order.
    public var signalHandler: ((Message) -> Void)? {
        get { handleSignal }
        set { handleSignal = newValue }
    }

    /// Called once when the connection is lost, but not by or after `close()`. By then all pending calls have failed.
    public var disconnectHandler: ((DBusError) -> Void)?

    /// A message that passes through a connection, or the failure of a call.
    public enum Traffic {
        /// A message that was sent, with its serial; it may still be on its way to the bus.
        case sent(Message, serial: UInt32)
        /// A message that arrived.
        case received(Message)
        /// A call that ended without a reply: its timeout has passed, or the connection was lost.
        case noReply(serial: UInt32, DBusError)
    }

    /// Called for everything that passes, in order, before any other handler. For logs. Nil, the default, costs
    /// nothing.
    public var trafficHandler: ((Traffic) -> Void)? {
        get { handleTraffic }
        set { handleTraffic = newValue }
    }

    /// Called for each call that reaches a method of an exported object or of a standard interface, with the
    /// interface's name. Returns true if it has taken over the call.
    package var callFilter: ((IncomingCall, _ interface: String) -> Bool)?

    /// Runs before each reply is sent, for signals that must precede it.
    package var willReply: (() -> Void)?

    /// The unique name that the bus assigned in its reply to Hello.
    public internal(set) var uniqueName: String?

    let raw: OpaquePointer
    let loop: EventLoop
    var token: EventLoop.Token?
    var calls: [CallIdentifier: PendingCall] = [:]
    /// When the loop is to call: no later than the first deadline, but perhaps for one that was met.
    var timer: MonotonicInstant?
    // Stored separately from the public properties: the compiler sees all uses, and can leave out exclusivity checks.
    private var handleSignal: ((Message) -> Void)?
    private var handleTraffic: ((Traffic) -> Void)?
    private var interest: (descriptor: CInt, events: PollEvents)?
    let enter: @Sendable (PollEvents) -> Void
    private var isSuspended = false
    /// Whether the bus has hung up while there was nothing to read: polling would report it again and again.
    private var hasHungUp = false
    /// Whether all messages that were read are delivered.
    private var isDrained = true
    var refusedCalls: [(reply: CallReply, error: DBusError)] = []
    let exports = ExportTable()
    let watches = WatchSet()
    /// Reads messages, once libdbus has authenticated.
    private var loader: MessageLoader?
    /// What one pass of the loop delivers at most, so that others get their turns in a flood.
    static let messagesPerPass = 256
    private static let hangUp: PollEvents = [.hangUp, .error]

    /// Connects to a bus and starts to authenticate. Call `hello` next.
    ///
    /// - Parameters:
    ///   - address: where the bus listens: a Unix socket, or a list of addresses, of which the Unix sockets are tried.
    ///     Connecting waits only if a socket's queue of callers is full.
    ///   - process: called on the loop's thread instead of `process(_:)`, which it must call: for an owner that needs
    ///     the end of each pass. It must hold the owner weakly, because the connection keeps the closure.
    ///     when a pass is over. It must hold the owner weakly, because the connection keeps the closure.
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

    /// The entry point for the loop, which keeps this, not the connection.
    private final class Entry {
        weak var connection: Connection?

        /// Sendable for the loop, which calls it on its own thread only, where the connection is used.
        var process: @Sendable (PollEvents) -> Void {
            let process: (PollEvents) -> Void = { events in self.connection?.process(events) }
            return unsafe unsafeBitCast(process, to: (@Sendable (PollEvents) -> Void).self)
        }
    }

    /// The owner should have closed it; whatever is still pending fails now.
    deinit {
        close()
        deliverRefusedCalls()
        unsafe dbus_connection_unref(raw)
    }

    /// Whether messages can be sent.
    public var isOpen: Bool { token != nil }

    /// Whether the peer passes file descriptors. Known after the reply to Hello.
    public var canPassFileDescriptors: Bool {
        unsafe dbus_connection_can_send_type(raw, TypeCode.fileDescriptor) != 0
    }

    /// Ends the connection. Pending calls fail with `DBusError.disconnected` before this returns. May be called from
    /// any handler of the connection.
    public func close() {
        signalHandler = nil
        disconnectHandler = nil
        guard isOpen else { return }
        flushWithoutWaiting()
        detach()
        failAllCalls(.disconnected())
    }

    private func detach() {
        guard let token else { return }
        self.token = nil
        loop.removeSource(token)
        // A child process between fork and exec holds the socket as well: closing alone would leave the connection, and
        // its names, on the bus until then.
        _ = shutdown(loader?.descriptor ?? watches.descriptor, CInt(SHUT_RDWR))
        loader = nil
        unsafe watches.stop(raw)
        unsafe dbus_connection_close(raw)
    }

    /// The last messages should still leave, if the socket takes them at once.
    private func flushWithoutWaiting() {
        if unsafe dbus_connection_has_messages_to_send(raw) != 0 { watches.handle(.writable) }
    }

    /// Accepts no more messages until `resume`, so that an owner that is busy with one keeps the order. They wait in
    /// the socket.
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

    /// Reads, writes and delivers whatever is ready. Called only from the closure `process`, if there is one.
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
        // For a deadline, the loop calls without events.
        if events.isEmpty { expireCalls() }
        guard let token else { return }
        if !isDrained, !isSuspended { loop.requestPass(of: token) }
        if calls.isEmpty { setTimer(nil) }
        updateInterest()
    }

    /// Lets libdbus write, and read until it has authenticated; then reads.
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

    /// Sets the events that the loop waits for, if libdbus's have changed.
    func updateInterest() {
        if watches.takeChange() { setInterest() }
    }

    /// Sets the events that the loop waits for now. If libdbus has no descriptor left, it has found the connection
    /// lost, perhaps while sending.
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

    /// A bus that refuses this user shows it only by hanging up before authentication is complete.
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

/// The C structure that libdbus writes errors into.
@safe struct DBusErrorStorage {
    var raw: CDBus.DBusError

    init() {
        unsafe raw = CDBus.DBusError()
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
