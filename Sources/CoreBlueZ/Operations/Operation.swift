import DBus

/// A request that has not been answered yet.
@BluetoothActor protocol AnyOperation: Cancellable {
    /// The object it is about: the operation ends when that object or one above it goes away.
    var subject: ObjectPath? { get }
    var isPending: Bool { get }
    /// Whether it ends with the link.
    var needsConnection: Bool { get }
    /// Where its registry has it.
    var place: OperationRegistry.Place? { get set }
    /// When it ends at the latest; nil while nothing limits it.
    var deadline: MonotonicInstant? { get }
    /// Ends it, if its deadline has passed.
    func expire(_ now: MonotonicInstant)
}

/// A pending operation of any kind. It ends exactly once, with whichever comes first: its reply, the end of the link,
/// of its object, of the daemon, of the bus or of its manager, its own time limit, or cancellation.
///
/// The order at the end: what the operation holds is released and the state is final; then its completion runs; then
/// whatever waited for it begins.
@BluetoothActor class Operation<Value>: AnyOperation {
    typealias Completion = @BluetoothActor (Result<Value, BluetoothError>) -> Void

    /// What the operation does, for messages: "Reading 2A26 of SensorTag".
    var title: String { givenTitle }
    let subject: ObjectPath?
    let needsConnection: Bool
    private let givenTitle: String
    private let limit: Duration?
    private var completion: Completion?
    private(set) var deadline: MonotonicInstant?
    /// How long it may wait, if it waits behind others.
    private var waitLimit: Duration?
    private var atEnd: [@BluetoothActor (BluetoothError?) -> Void] = []
    /// The queue that it is the first of.
    var line: OperationQueue.Line?
    var place: OperationRegistry.Place?
    /// Until it ends.
    private var registry: OperationRegistry?

    /// - Parameters:
    /// - limit: how long it may take from now on or, if it waits for something first, from `startClock` on.
    /// - isWaiting: whether it waits.
    init(
        _ title: String,
        on subject: ObjectPath?,
        needsConnection: Bool,
        limit: Duration?,
        isWaiting: Bool = false,
        in registry: OperationRegistry,
        completion: @escaping Completion
    ) {
        givenTitle = title
        self.subject = subject
        self.needsConnection = needsConnection
        self.limit = limit
        self.completion = completion
        self.registry = registry
        registry.add(self)
        if !isWaiting { startClock() }
    }

    var isPending: Bool { completion != nil }

    /// Starts the time that it may take.
    func startClock() {
        stopWaiting()
        if isPending, let limit { setDeadline(after: limit) }
    }

    /// It no longer waits; its own time has not started yet.
    func stopWaiting() {
        deadline = nil
        waitLimit = nil
    }

    /// It waits behind others, for at most this long.
    func wait(atMost wait: Duration) {
        guard isPending else { return }
        waitLimit = wait
        setDeadline(after: wait)
    }

    private func setDeadline(after time: Duration) {
        let instant = MonotonicInstant.now.advanced(by: time)
        deadline = instant
        registry?.watch(instant)
    }

    func expire(_ now: MonotonicInstant) {
        guard let deadline, deadline <= now else { return }
        if let waitLimit {
            let message =
                "\(title): it waited in the queue behind earlier requests for \(waitLimit) and was not sent"
            fail(BluetoothError(.timedOut, message))
        } else {
            fail(BluetoothError(.timedOut, "\(title): no answer within \(limit ?? .zero)"))
        }
    }

    /// Runs `body` when the operation ends, before its completion, to release what it holds. Runs it at once if the
    /// operation has ended.
    func whenEnded(_ body: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        if isPending { atEnd.append(body) } else { body(nil) }
    }

    func succeed(_ value: Value) { finish(.success(value)) }

    package func fail(_ error: BluetoothError) { finish(.failure(error)) }

    func finish(_ result: Result<Value, BluetoothError>) {
        guard let completion else { return }
        self.completion = nil
        deadline = nil
        registry?.remove(self)
        registry = nil
        var error: BluetoothError?
        if case .failure(let reason) = result { error = reason }
        if !atEnd.isEmpty {
            let atEnd = atEnd
            self.atEnd = []
            for body in atEnd { body(error) }
        }
        completion(result)
        let line = line
        self.line = nil
        line?.advance(after: error)
    }
}
