import BlueZDBus
import BlueZPrintableText
import FoundationEssentials

extension AttributeOperation where Value == Void {
    /// Creates a request whose reply has no value.
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

/// A characteristic or a descriptor, for its requests.
@BluetoothActor package protocol Attribute: AnyObject {
    /// The name of the attribute in messages.
    var label: String { get }
    /// The name of the device in messages; nil when the device is gone.
    var deviceName: String? { get }
    /// The device, and the shared state of requests; nil when the device or its manager is gone.
    var device: (path: ObjectPath, context: RequestContext)? { get }
    /// The path of the attribute's object; nil while there is none.
    var boundPath: ObjectPath? { get }
    /// Returns the error of requests if `boundPath` is nil although there is a link.
    func unboundError(_ title: String) -> BluetoothError
    /// The BlueZ interface of the attribute.
    static var interface: String { get }
    /// Returns the call that reads the whole value.
    func readCall(_ path: ObjectPath) throws(DBusError) -> Message
    /// The whole value that was last read or notified.
    var lastValue: Data? { get set }
}

extension Attribute {
    /// Reads the whole value. The closures capture nothing, so that a read needs no memory for them.
    @discardableResult
    package func startReading(_ completion: Operation<Data>.Completion) -> AttributeOperation<Data> {
        AttributeOperation("Reading", .read, of: self, completion: completion) { (attribute, path) throws(DBusError) in
            try attribute.readCall(path)
        } take: { (request, reply) throws(DBusError) in
            let value = try reply.get().firstBytes()
            request.attribute.lastValue = value
            request.finish(.success(value))
        }
        .start()
    }
}

/// A request to an attribute. It waits for the attribute's earlier requests, and is then sent. The error of a failure
/// depends on what becomes known about the link.
@BluetoothActor package final class AttributeOperation<Value>: Operation<Value>, Call {
    package typealias Build = @BluetoothActor (any Attribute, ObjectPath) throws(DBusError) -> Message
    package typealias Take = @BluetoothActor (AttributeOperation, Result<Message, DBusError>) throws(DBusError) -> Void

    /// Called before the request is sent. A result ends the request, and nil sends it.
    private var resultWithoutCall: (@BluetoothActor (AttributeOperation) -> Result<Value, BluetoothError>?)?

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
    ///   - build: creates the call for an attempt.
    ///   - take: ends the request with the reply's content, or throws the error.
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
            // Copied first, so that the compiler can leave out the exclusivity check.
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

    /// Fails soon with the error if there is one, otherwise starts.
    package func start(unless refusal: BluetoothError?) -> Self {
        guard let refusal else { return start() }
        BluetoothActor.perform { self.fail(refusal) }
        return self
    }

    /// Starts. The closure is called before the request is sent. A result ends the request, and nil sends it.
    package func start(
        unless resultWithoutCall: @escaping @BluetoothActor (AttributeOperation) -> Result<Value, BluetoothError>?
    ) -> Self {
        self.resultWithoutCall = resultWithoutCall
        return start()
    }

    /// Begins the request after all earlier ones to the attribute, or fails soon if it cannot begin.
    @discardableResult
    package func start() -> Self {
        guard wasConnected, let context, let subject else {
            BluetoothActor.perform { self.fail(self.obstacle) }
            return self
        }
        if context.queues.enter(self, at: subject, begin: { self.send(isFirst: false) }) {
            send(isFirst: true)
        } else {
            wait(atMost: context.queueLimit)
        }
        return self
    }

    /// The reason why the request cannot begin.
    private var obstacle: BluetoothError {
        guard context != nil else { return BluetoothError(.cancelled, "\(title): its central manager is gone") }
        guard !wasConnected else { return attribute.unboundError(title) }
        let suggestion = subject == nil ? "connect and discover first" : "connect first"
        return BluetoothError(.notConnected, "\(title): \(suggestion)")
    }

    private func send(isFirst: Bool) {
        if let resultWithoutCall, let result = resultWithoutCall(self) {
            // A completion never runs before `start` has returned.
            return isFirst ? BluetoothActor.perform { self.finish(result) } : finish(result)
        }
        if !perform(), let context { wait(atMost: context.queueLimit) }
    }

    // MARK: The call

    /// The limit of the call, which ends some time after its request.
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

    /// Fails with the true reason. BlueZ reports ATT error 0x0e in the peripheral's place if there was no response for
    /// 30 s and, just before it reports the loss, if the link breaks (src/shared/att.c: timeout_cb, disconnect_cb).
    private func fail(after error: DBusError) {
        let failure = BluetoothError(error, in: request, title)
        let isUnlikely = failure.attError == .unlikelyError
        guard isUnlikely || failure.code == .notConnected else { return fail(failure) }
        if isUnlikely, let time = context?.client?.timeouts.transaction, hasTaken(time) {
            let message = "\(title): the peripheral did not respond within \(time.roundedText)"
            return fail(BluetoothError(.timedOut, message, from: error))
        }
        // The end of the link may be reported this long after the failure that it caused.
        _ = BluetoothActor.after(.seconds(1)) { [weak self] in self?.fail(failure) }
    }
}

/// Computed once, for all requests.
private let attributeCallLimit = TimeLimit(.seconds(70))
