import BlueZDBus

/// A call of `Connect` or `Pair`. BlueZ shares one link and one attempt to make it among all programs, so this object
/// also determines whose they are.
///
/// bluetoothd replies immediately if it refuses the call or there is a link already. Otherwise it replies to a later
/// call first (src/device.c: dev_connect, pair_device). So the call is bracketed by two queries for the link: the first
/// says whether there was one, and the reply to the second that bluetoothd is connecting for this program. If the call
/// succeeds before that reply, another program's link came up between the first query and the call. Other
/// implementations of BlueZ's interfaces may connect at once; they have then resolved the services too, for which
/// bluetoothd needs several responses of the device.
@BluetoothActor package final class LinkCall: Call {
    /// The method.
    package enum Method: String {
        case connect = "Connect"
        case pair = "Pair"
    }

    enum Progress {
        /// It is not sent yet.
        case waiting
        /// It was sent, and bluetoothd may not have received it yet.
        case sent
        /// bluetoothd has received it, and has begun what was requested.
        case accepted
        /// bluetoothd has replied, or the link has ended.
        case ended
    }

    let request = Request.other
    let subject: ObjectPath?
    let limiter: CallLimiter?
    let callLimit: TimeLimit
    let operation: AnyOperation?
    var attempt = 0
    private(set) var progress = Progress.waiting
    /// Whether there was a link before the call; nil until that is known.
    private var hadLink: Bool?
    /// Whether the call has succeeded before the reply to the second query.
    private var isEarlySuccess = false
    private var hasConfirmed = false
    let method: Method
    private let message: Message
    private let device: ObjectPath
    private weak var client: BlueZClient?
    private var waiters: [@BluetoothActor () -> Void] = []
    private let reply: @BluetoothActor (DBusError?) -> Void

    init(
        _ method: Method, _ message: Message, at device: ObjectPath, of client: BlueZClient,
        for operation: AnyOperation, limit: TimeLimit, reply: @escaping @BluetoothActor (DBusError?) -> Void
    ) {
        self.method = method
        self.message = message
        self.device = device
        self.client = client
        self.operation = operation
        self.reply = reply
        subject = device
        limiter = client.limiters[.link]
        callLimit = limit
    }

    /// Whether bluetoothd may have received the call, and has not replied.
    var isPending: Bool { progress == .sent || progress == .accepted }
    /// Whether a link that is up or comes up is one that this call has made.
    var isMakingLink: Bool { method == .connect && isPending && hadLink == false && (isAccepted || isResolved) }

    private var isAccepted: Bool { progress == .accepted }
    private var isResolved: Bool { client?.mirror.devices[device]?.areServicesResolved == true }

    func makeMessage(_ path: ObjectPath) -> Message {
        progress = .sent
        guard let client else { return message }
        client.linkCalls[device, default: []].append(self)
        let isConnected = client.isConnected(device)
        if client.limiters[.control].hasSlot() {
            ask { [weak self] in self?.hadLink = $0 ?? isConnected }
        } else {
            // A query that waits would arrive after the call, and report the call's own link.
            hadLink = isConnected
        }
        BluetoothActor.perform { self.confirm() }
        return message
    }

    /// Sends the second query, after the call.
    fileprivate func confirm() {
        guard progress == .sent, !hasConfirmed else { return }
        hasConfirmed = true
        ask { [self] _ in
            if isEarlySuccess { succeed(isOwn: hadLink == false && isResolved) } else { enter(.accepted) }
        }
    }

    private func ask(_ body: @escaping @BluetoothActor (Bool?) -> Void) {
        client?.askForLink(to: device, reply: body)
    }

    func receive(_ reply: Result<Message, DBusError>) {
        guard method == .connect, reply.isSuccess else { return finish(reply.failure) }
        if progress == .sent, hasConfirmed {
            isEarlySuccess = true
        } else {
            succeed(isOwn: isPending && hadLink == false)
        }
    }

    private func succeed(isOwn: Bool) {
        guard let client else { return finish(nil) }
        let known: @BluetoothActor () -> Void = { [self] in
            if isOwn { client.mirror.devices[device]?.isLinkOwn = client.isConnected(device) }
            finish(nil)
        }
        guard !client.isConnected(device) else { return known() }
        hadLink = !isOwn
        enter(.accepted)
        client.findUnsignalledLink(of: device, done: known)
    }

    private func finish(_ error: DBusError?) {
        end()
        reply(error)
    }

    /// Notes that the call no longer concerns the link.
    func end() {
        client?.linkCalls[device]?.removeAll { $0 === self }
        if client?.linkCalls[device]?.isEmpty == true { client?.linkCalls[device] = nil }
        enter(.ended)
    }

    fileprivate func linkDidEnd() {
        switch progress {
        case .accepted: end()
        // bluetoothd has not received the call either: it would have succeeded at once.
        case .sent where !isEarlySuccess: hadLink = false
        default: break
        }
    }

    private func enter(_ next: Progress) {
        guard progress != .ended else { return }
        progress = next
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter() }
    }

    /// Calls `body` when bluetoothd has received the call.
    func whenReceived(_ body: @escaping @BluetoothActor () -> Void) {
        waiters.append(body)
    }
}

extension BlueZClient {
    /// Connects or pairs a device.
    ///
    /// - Parameter reply: gets nil or the error. A link that `Connect` has made is then known, even if bluetoothd has
    ///   not signalled it.
    package func call(
        _ method: LinkCall.Method, of interface: String = BlueZ.device, at device: ObjectPath, limit: Duration,
        for operation: AnyOperation, reply: @escaping @BluetoothActor (DBusError?) -> Void
    ) {
        do throws(DBusError) {
            let message = try BlueZ.call(device, interface, method.rawValue)
            let call = LinkCall(
                method, message, at: device, of: self, for: operation, limit: TimeLimit(limit), reply: reply)
            if call.perform() { call.confirm() }
        } catch {
            BluetoothActor.perform { reply(error) }
        }
    }

    /// Whether bluetoothd may be connecting or pairing a device for this process.
    package func isPending(_ method: LinkCall.Method, at device: ObjectPath) -> Bool {
        linkCalls[device]?.contains { $0.method == method && $0.isPending } == true
    }

    /// Whether a call of this process has made the device's link.
    package func isLinkOwn(_ device: ObjectPath) -> Bool {
        guard let properties = mirror.devices[device], properties.isConnected else { return false }
        return properties.isLinkOwn || linkCalls[device]?.contains(where: \.isMakingLink) == true
    }

    /// Calls `body` when bluetoothd has received all calls so far that make a link to a device or pair it: now, unless
    /// one has just been sent.
    package func whenLinkCallsAreReceived(at device: ObjectPath, _ body: @escaping @BluetoothActor () -> Void) {
        guard let call = linkCalls[device]?.first(where: { $0.progress == .sent }) else { return body() }
        call.whenReceived { [weak self] in
            if let self { self.whenLinkCallsAreReceived(at: device, body) } else { body() }
        }
    }

    /// Notes that a link has ended, and with it all calls that bluetoothd has received. It replies to them, but the
    /// replies may be lost.
    func endLinkCalls(at device: ObjectPath) {
        for call in linkCalls[device] ?? [] { call.linkDidEnd() }
    }
}
