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
    /// The whole value that was last read or notified.
    var lastValue: Data? { get set }
}

/// What a kind of request does.
@BluetoothActor struct AttributeMethod<Value> {
    /// For messages: "Reading".
    let verb: String
    let request: Request
    var kind = CallLimiter.Kind.attribute
    /// Makes the call, anew for each attempt.
    let build: @BluetoothActor (ObjectPath) throws(DBusError) -> Message
    /// Ends the request with what the reply holds, or throws what it failed with.
    let take: @BluetoothActor (AttributeRequest<Value>, Result<Message, DBusError>) throws(DBusError) -> Void
}

extension AttributeMethod where Value == Void {
    /// A method whose reply has no value.
    init(_ verb: String, _ request: Request, build: @escaping @BluetoothActor (ObjectPath) throws(DBusError) -> Message)
    {
        self.init(verb: verb, request: request, build: build) { (request, reply) throws(DBusError) in
            _ = try reply.get()
            request.succeed(())
        }
    }
}

extension Attribute {
    /// Reads the whole value.
    var reading: AttributeMethod<Data> {
        AttributeMethod(verb: "Reading", request: .read) { [self] (path) throws(DBusError) in
            try readCall(path)
        } take: { [self] (request, reply) throws(DBusError) in
            let value = try reply.get().firstBytes()
            lastValue = value
            request.finish(.success(value))
        }
    }

    @discardableResult
    func startReading(_ completion: Operation<Data>.Completion) -> AttributeRequest<Data> {
        AttributeRequest(reading, of: self, completion: completion).start()
    }
}

/// One request to an attribute. It waits behind the attribute's earlier requests, is sent, and its failure is judged by
/// what becomes known of the link.
@BluetoothActor final class AttributeRequest<Value>: Operation<Value>, Call {
    /// Asked when the request would be sent: a result ends it, and nil sends it.
    var resultWithoutCall: (@BluetoothActor (AttributeRequest) -> Result<Value, BluetoothError>?)?

    let request: Request
    let limiter: CallLimiter?
    let build: @BluetoothActor (ObjectPath) throws(DBusError) -> Message
    var attempt = 0
    private let attribute: any Attribute
    private let take: @BluetoothActor (AttributeRequest, Result<Message, DBusError>) throws(DBusError) -> Void
    /// Nil if the peripheral or the manager was gone.
    private let context: RequestContext?
    private let wasConnected: Bool

    init(_ method: AttributeMethod<Value>, of attribute: any Attribute, completion: Completion) {
        self.attribute = attribute
        request = method.request
        build = method.build
        take = method.take
        if let peripheral = attribute.peripheral, let context = peripheral.context, context.isOpen {
            self.context = context
            limiter = context.limiters[method.kind]
            // Copied first: so the compiler sees that nothing else happens meanwhile, and need not have it checked.
            let devices = context.mirror.devices
            wasConnected = devices[peripheral.path]?.isConnected == true
        } else {
            context = nil
            limiter = nil
            wasConnected = false
        }
        super.init(
            method.verb, on: attribute.boundPath, needsConnection: true, waitingWith: context?.attributeLimit,
            in: context?.operations ?? OperationRegistry(), completion: completion)
    }

    override var title: String {
        "\(givenTitle) \(attribute.label) of \(attribute.peripheral?.displayName ?? "a peripheral that is gone")"
    }

    /// Fails soon with the error, or starts.
    func start(unless refusal: BluetoothError?) -> Self {
        guard let refusal else { return start() }
        BluetoothActor.later { self.fail(refusal) }
        return self
    }

    /// Begins the request when all earlier ones to the attribute are over, or fails soon.
    @discardableResult
    func start() -> Self {
        guard wasConnected, let context, let subject else {
            BluetoothActor.later { self.fail(self.obstacle) }
            return self
        }
        if context.queues.enter(self, at: subject, begin: { self.send(isFirst: false) }) {
            send(isFirst: true)
        } else {
            wait(atMost: context.queueLimit)
        }
        return self
    }

    /// What the request lacks to begin.
    private var obstacle: BluetoothError {
        guard context != nil else { return BluetoothError(.cancelled, "\(title): its central manager is gone") }
        guard !wasConnected else { return attribute.unboundError(title) }
        let advice = subject == nil ? "connect and discover first" : "connect first"
        return BluetoothError(.notConnected, "\(title): \(advice)")
    }

    private func send(isFirst: Bool) {
        if let resultWithoutCall, let result = resultWithoutCall(self) {
            // A completion never runs before `start` has returned.
            return isFirst ? BluetoothActor.later { self.finish(result) } : finish(result)
        }
        if !perform(), let context { wait(atMost: context.queueLimit) }
    }

    // MARK: The call

    /// A call ends in any case, some time after the request has.
    var callLimit: TimeLimit { attributeCallLimit }
    var operation: AnyOperation? { self }

    func receive(_ reply: Result<Message, DBusError>) {
        guard isPending else { return }
        do throws(DBusError) {
            try take(self, reply)
        } catch {
            fail(after: error)
        }
    }

    /// BlueZ answers ATT error 0x0e in the peripheral's place if that has not answered for 30 s and, just before it
    /// reports the break, if the link breaks (src/shared/att.c: timeout_cb, disconnect_cb): report the true reason.
    private func fail(after error: DBusError) {
        let failure = BluetoothError(error, in: request, title)
        let isUnlikely = failure.attError == .unlikelyError
        guard isUnlikely || failure.code == .notConnected else { return fail(failure) }
        if isUnlikely, let time = context?.client?.timeouts.transaction, hasTaken(time) {
            let message = "\(title): the peripheral did not answer within \(time.inSeconds)"
            return fail(BluetoothError(.timedOut, message, from: error))
        }
        // So long after the failure that it caused, the link's end may be reported.
        _ = BluetoothActor.after(.seconds(1)) { [weak self] in self?.fail(failure) }
    }
}

/// Computed once: each request has it.
private let attributeCallLimit = TimeLimit(.seconds(70))
