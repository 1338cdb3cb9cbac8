import DBus
import FoundationEssentials
import PrintableText

/// A characteristic or a descriptor, as a request sees it.
@BluetoothActor package protocol Attribute: AnyObject {
    /// Its name in messages.
    var label: String { get }
    /// The name of its device in messages; nil once that is gone.
    var deviceName: String? { get }
    /// Its device, and what requests need; nil once the device or its manager is gone.
    var device: (path: ObjectPath, context: RequestContext)? { get }
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

extension Attribute {
    /// Reads the whole value. The closures keep nothing, so that a read needs no memory for them.
    @discardableResult
    package func startReading(_ completion: Operation<Data>.Completion) -> AttributeRequest<Data> {
        AttributeRequest("Reading", .read, of: self, completion: completion) { (attribute, path) throws(DBusError) in
            try attribute.readCall(path)
        } take: { (request, reply) throws(DBusError) in
            let value = try reply.get().firstBytes()
            request.attribute.lastValue = value
            request.finish(.success(value))
        }
        .start()
    }
}

extension AttributeRequest where Value == Void {
    /// A request whose reply has no value.
    package convenience init(
        _ verb: String, _ request: Request, of attribute: any Attribute, completion: Completion,
        build: @escaping Build
    ) {
        self.init(verb, request, of: attribute, completion: completion, build: build) {
            (request, reply) throws(DBusError) in
            _ = try reply.get()
            request.succeed(())
        }
    }
}

/// One request to an attribute. It waits behind the attribute's earlier requests, is sent, and its failure is judged by
/// what becomes known of the link.
@BluetoothActor package final class AttributeRequest<Value>: Operation<Value>, Call {
    package typealias Build = @BluetoothActor (any Attribute, ObjectPath) throws(DBusError) -> Message
    package typealias Take = @BluetoothActor (AttributeRequest, Result<Message, DBusError>) throws(DBusError) -> Void

    /// Asked when the request would be sent: a result ends it, and nil sends it.
    private var resultWithoutCall: (@BluetoothActor (AttributeRequest) -> Result<Value, BluetoothError>?)?

    let request: Request
    let limiter: CallLimiter?
    var attempt = 0
    fileprivate let attribute: any Attribute
    private let build: Build
    private let take: Take
    /// Nil if the peripheral or the manager was gone.
    private let context: RequestContext?
    private let wasConnected: Bool

    /// - Parameters:
    ///   - verb: what the request does, for messages: "Reading".
    ///   - build: makes the call, anew for each attempt.
    ///   - take: ends the request with what the reply holds, or throws what it failed with.
    package init(
        _ verb: String, _ request: Request, in kind: CallLimiter.Kind = .attribute, of attribute: any Attribute,
        completion: Completion, build: @escaping Build, take: @escaping Take
    ) {
        self.attribute = attribute
        self.request = request
        self.build = build
        self.take = take
        if let (device, context) = attribute.device, context.isOpen {
            self.context = context
            limiter = context.limiters[kind]
            // Copied first: so the compiler sees that nothing else happens meanwhile, and need not have it checked.
            let devices = context.mirror.devices
            wasConnected = devices[device]?.isConnected == true
        } else {
            context = nil
            limiter = nil
            wasConnected = false
        }
        super.init(
            verb, on: attribute.boundPath, needsConnection: true, waitingWith: context?.attributeLimit,
            in: context?.operations ?? OperationRegistry(), completion: completion)
    }

    package override var title: String {
        "\(givenTitle) \(attribute.label) of \(attribute.deviceName ?? "a peripheral that is gone")"
    }

    /// Fails soon with the error, or starts.
    package func start(unless refusal: BluetoothError?) -> Self {
        guard let refusal else { return start() }
        BluetoothActor.later { self.fail(refusal) }
        return self
    }

    /// Starts. The closure is asked when the request would be sent: a result ends the request, and nil sends it.
    package func start(
        unless resultWithoutCall: @escaping @BluetoothActor (AttributeRequest) -> Result<Value, BluetoothError>?
    ) -> Self {
        self.resultWithoutCall = resultWithoutCall
        return start()
    }

    /// Begins the request when all earlier ones to the attribute are over, or fails soon.
    @discardableResult
    package func start() -> Self {
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

    func makeMessage(_ path: ObjectPath) throws(DBusError) -> Message { try build(attribute, path) }

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
