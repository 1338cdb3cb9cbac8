import DBus

/// A characteristic or a descriptor, as a request sees it.
@BluetoothActor protocol Attribute: AnyObject {
    /// Its name in messages.
    var label: String { get }
    /// Its peripheral; nil once that is gone.
    var peripheral: Peripheral? { get }
    /// Its object; nil while there is none.
    var boundPath: ObjectPath? { get }
    /// The error of requests, if `boundPath` is nil although there is a link.
    func unboundError(_ title: String) -> BluetoothError
}

/// One request to an attribute. It waits behind the attribute's earlier requests, is sent, is sent again while another
/// program has the attribute, and its failure is judged by what becomes known of the link.
@BluetoothActor final class AttributeRequest<Value>: Operation<Value>, Caller {
    /// What happens to the request at its turn.
    enum Turn {
        case send
        case end(Result<Value, BluetoothError>)
    }

    private let verb: String
    private let attribute: any Attribute
    private let request: Request
    private let lane: CallGate.Lane
    /// Builds the call, anew for every attempt.
    private let build: @BluetoothActor (ObjectPath) throws(DBusError) -> Message
    /// Takes the answer.
    private let read: @BluetoothActor (Message) throws(DBusError) -> Value
    /// Decides at its turn.
    var turn: @BluetoothActor (AttributeRequest) -> Turn = { _ in .send }
    /// The value if an error is as good as an answer.
    var recover: (DBusError) -> Value? = { _ in nil }

    private weak var client: BlueZClient?
    private var attempt = 0

    /// A call ends in any case, some time after the request has.
    private static var callLimit: Duration { .seconds(70) }
    /// How long after the failure it caused the link's end may be reported.
    private static var linkLossWait: Duration { .seconds(1) }

    init(
        _ verb: String,
        _ attribute: any Attribute,
        _ request: Request,
        lane: CallGate.Lane = .attribute,
        build: @escaping @BluetoothActor (ObjectPath) throws(DBusError) -> Message,
        read: @escaping @BluetoothActor (Message) throws(DBusError) -> Value,
        completion: @escaping Completion
    ) {
        self.verb = verb
        self.attribute = attribute
        self.request = request
        self.lane = lane
        self.build = build
        self.read = read
        let central = attribute.peripheral?.central
        super.init(
            verb, on: attribute.boundPath, needsConnection: true, limit: central?.attributeTimeout, isWaiting: true,
            in: central?.operations ?? OperationRegistry(), completion: completion
        )
    }

    override var title: String {
        "\(verb) \(attribute.label) of \(attribute.peripheral?.displayName ?? "a peripheral that is gone")"
    }

    /// Fails soon with the error, or waits for its turn.
    func start(unless refusal: BluetoothError? = nil) -> Self {
        if let refusal {
            failSoon(refusal)
        } else if let (client, path) = target() {
            self.client = client
            if client.queue.enter(self, at: path) {
                // A completion never runs before the call has returned.
                begin(client, path, finish: BluetoothActor.later)
            } else {
                client.queue.wait(self, at: path, atMost: queueTimeout) { [self] in begin(client, path) { $0() } }
            }
        }
        return self
    }

    private func begin(
        _ client: BlueZClient, _ path: ObjectPath, finish: (@escaping @BluetoothActor () -> Void) -> Void
    ) {
        switch turn(self) {
        case .send: send(client, path)
        case .end(let result): finish { self.finish(result) }
        }
    }

    private var queueTimeout: Duration { attribute.peripheral?.central?.queueTimeout ?? Timeout.queue }

    /// What the request needs to begin. If something is missing it fails, soon.
    func target() -> (BlueZClient, ObjectPath)? {
        guard let peripheral = attribute.peripheral, let client = peripheral.central?.client else {
            return failSoon(BluetoothError(.cancelled, "\(title): its central manager is gone"))
        }
        let path = attribute.boundPath
        guard peripheral.isConnected else {
            let advice = path == nil ? "connect and discover first" : "connect first"
            return failSoon(BluetoothError(.notConnected, "\(title): \(advice)"))
        }
        guard let path else { return failSoon(attribute.unboundError(title)) }
        return (client, path)
    }

    @discardableResult
    private func failSoon(_ error: BluetoothError) -> (BlueZClient, ObjectPath)? {
        BluetoothActor.later { self.fail(error) }
        return nil
    }

    private func send(_ client: BlueZClient, _ path: ObjectPath) {
        guard isPending else { return }
        do throws(DBusError) {
            let isSent = client.send(try build(path), for: self, in: lane, limit: Self.callLimit)
            if !isSent { wait(atMost: queueTimeout) }
        } catch {
            fail(BluetoothError(error, in: request, title))
        }
    }

    func willCall() -> Bool {
        guard isPending else { return false }
        if attempt == 0 { startClock() }
        if request == .read, let subject { client?.channels.readBegins(subject) }
        return true
    }

    func receive(_ result: Result<Message, DBusError>) {
        guard let client, let path = subject else { return }
        if request == .read { client.channels.readEnds(path, isSuccess: result.isSuccess) }
        guard isPending else { return }
        do throws(DBusError) {
            succeed(try read(try result.get()))
        } catch {
            if let value = recover(error) {
                succeed(value)
            } else if attempt < attempts(after: error, client, path) {
                // The queue of this process is empty, so it is another program's operation, or a socket of this one
                // that bluetoothd has not seen closed yet.
                attempt += 1
                _ = BluetoothActor.after(.milliseconds(10 << min(attempt - 1, 6))) { [weak self, weak client] in
                    if let client { self?.send(client, path) }
                }
            } else {
                fail(after: BluetoothError(error, in: request, title))
            }
        }
    }

    private func attempts(after error: DBusError, _ client: BlueZClient, _ path: ObjectPath) -> Int {
        let hadSocket = client.releasedSockets.contains(path)
        return switch (error.name, error.message) {
        case ("org.bluez.Error.InProgress", _): 12
        case ("org.bluez.Error.NotPermitted", "Notify acquired") where hadSocket: 6
        case ("org.bluez.Error.NotPermitted", "Write acquired") where hadSocket: 6
        default: 0
        }
    }

    /// BlueZ fails pending operations with ATT error 0x0e when the link breaks, just before it reports the break
    /// (src/shared/att.c: disconnect_cb): wait for the true reason.
    private func fail(after error: BluetoothError) {
        guard error.attError == .unlikelyError || error.code == .notConnected else { return fail(error) }
        _ = BluetoothActor.after(Self.linkLossWait) { [weak self] in self?.fail(error) }
    }
}
