import DBus
import FoundationEssentials
import PrintableText

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
    /// Its interface in BlueZ.
    static var interface: String { get }
    /// The call that reads the whole value.
    func readCall(_ path: ObjectPath) throws(DBusError) -> Message
    /// Takes the whole value.
    func didRead(_ value: Data)
}

/// One request to an attribute, whatever its result is. It waits behind the attribute's earlier requests, is sent, is
/// sent again while another program has the attribute, and its failure is judged by what becomes known of the link.
@BluetoothActor class AttributeRequest: AnyOperation, Caller {
    /// What happens to the request at its turn.
    enum Turn {
        case send
        /// It ends, without an error if there is nothing to do.
        case end(BluetoothError?)
    }

    let attribute: any Attribute
    private let request: Request
    private let lane: CallGate.Lane
    /// Decides at its turn; nil sends it.
    var turn: (@BluetoothActor (AttributeRequest) -> Turn)?
    /// Whether an error is as good as an answer.
    var isAnswer: (DBusError) -> Bool = { _ in false }
    /// Who waits behind it.
    var follower: AttributeRequest?

    /// What it goes through; nil if its manager was gone.
    let route: AttributeRoute?
    private var attempt = 0

    /// A call ends in any case, some time after the request has.
    private static let callLimit = TimeLimit(.seconds(70))
    /// How long after the failure it caused the link's end may be reported.
    private static var linkLossWait: Duration { .seconds(1) }

    init(
        _ verb: String,
        _ attribute: any Attribute,
        _ request: Request,
        at place: AttributePlace,
        lane: CallGate.Lane = .attribute
    ) {
        self.attribute = attribute
        self.request = request
        self.lane = lane
        route = place.route
        super.init(
            verb, on: attribute.boundPath, needsConnection: true, limit: place.route?.attributeLimit, isWaiting: true,
            in: place.route?.operations ?? OperationRegistry())
    }

    /// Builds the call, anew for every attempt. Each kind of request has its own.
    func call(_ path: ObjectPath) throws(DBusError) -> Message {
        throw .invalidArguments("This kind of request has no call")
    }

    /// Takes the answer. Each kind of request reads it in its way; for some there is nothing to read.
    func take(_ answer: Message) throws(DBusError) {}

    override var title: String {
        "\(givenTitle) \(attribute.label) of \(attribute.peripheral?.displayName ?? "a peripheral that is gone")"
    }

    /// Fails soon with the error, or waits for its turn.
    @discardableResult
    func start(unless refusal: BluetoothError? = nil) -> Self {
        if let refusal {
            failSoon(refusal)
            return self
        }
        return start(at: AttributePlace(attribute))
    }

    /// Waits for its turn.
    ///
    /// - Parameter place: where the attribute is now.
    func start(at place: AttributePlace) -> Self {
        guard isPossible(at: place), let route, let subject else { return self }
        if let line = route.queue.enter(self, at: subject) {
            self.line = line
            begin(isFirst: true)
        } else {
            wait(atMost: route.queueLimit)
        }
        return self
    }

    /// Its turn has come, after it has waited.
    func begin(in line: OperationQueue.Line) {
        stopWaiting()
        self.line = line
        begin(isFirst: false)
    }

    private func begin(isFirst: Bool) {
        guard let turn, case .end(let error) = turn(self) else { return send() }
        // A completion never runs before the call has returned.
        if isFirst { BluetoothActor.later { self.end(error) } } else { end(error) }
    }

    /// Whether the request has what it needs to begin. If something is missing it fails, soon.
    private func isPossible(at place: AttributePlace) -> Bool {
        guard place.route != nil else {
            return failSoon(BluetoothError(.cancelled, "\(title): its central manager is gone"))
        }
        guard place.isConnected else {
            let advice = subject == nil ? "connect and discover first" : "connect first"
            return failSoon(BluetoothError(.notConnected, "\(title): \(advice)"))
        }
        return subject == nil ? failSoon(attribute.unboundError(title)) : true
    }

    @discardableResult
    private func failSoon(_ error: BluetoothError) -> Bool {
        BluetoothActor.later { self.fail(error) }
        return false
    }

    private func send() {
        guard isPending, let route, let subject else { return }
        guard let client = route.client else {
            failSoon(BluetoothError(.cancelled, "\(title): its central manager is gone"))
            return
        }
        do throws(DBusError) {
            let isSent = client.send(try call(subject), for: self, in: lane, limit: Self.callLimit)
            if !isSent { wait(atMost: route.queueLimit) }
        } catch {
            fail(BluetoothError(error, in: request, title))
        }
    }

    func willCall(_ now: MonotonicInstant) -> Bool {
        guard isPending else { return false }
        if attempt == 0 { startClock(now) }
        if request == .read, let subject { route?.channels.readBegins(subject) }
        return true
    }

    func receive(_ result: Result<Message, DBusError>) {
        defer { route?.gate.leave(lane) }
        if request == .read, let subject { route?.channels.readEnds(subject, isSuccess: result.isSuccess) }
        guard isPending else { return }
        do throws(DBusError) {
            try take(try result.get())
            end(nil)
        } catch {
            if isAnswer(error) {
                end(nil)
            } else if attempt < attempts(after: error) {
                // The queue of this process is empty, so it is another program's operation, or a socket of this one
                // that bluetoothd has not seen closed yet.
                attempt += 1
                _ = BluetoothActor.after(.milliseconds(10 << min(attempt - 1, 6))) { [weak self] in self?.send() }
            } else {
                fail(after: error)
            }
        }
    }

    private func attempts(after error: DBusError) -> Int {
        let hadSocket = subject.map { route?.client?.releasedSockets.contains($0) == true } ?? false
        return switch (error.name, error.message) {
        case ("org.bluez.Error.InProgress", _): 12
        case ("org.bluez.Error.NotPermitted", "Notify acquired") where hadSocket: 6
        case ("org.bluez.Error.NotPermitted", "Write acquired") where hadSocket: 6
        default: 0
        }
    }

    /// BlueZ answers ATT error 0x0e in the peripheral's place if that has not answered for 30 s and, just before it
    /// reports the break, if the link breaks (src/shared/att.c: timeout_cb, disconnect_cb): report the true reason.
    private func fail(after error: DBusError) {
        let failure = BluetoothError(error, in: request, title)
        let isUnlikely = failure.attError == .unlikelyError
        guard isUnlikely || failure.code == .notConnected else { return fail(failure) }
        if isUnlikely, let time = route?.client?.timeouts.transaction, hasTaken(time) {
            let message = "\(title): the peripheral did not answer within \(time.inSeconds)"
            return fail(BluetoothError(.timedOut, message, from: error))
        }
        _ = BluetoothActor.after(Self.linkLossWait) { [weak self] in self?.fail(failure) }
    }
}
