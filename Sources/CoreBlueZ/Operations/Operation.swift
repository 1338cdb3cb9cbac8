import DBus

/// Something that was asked for and not answered yet.
@BluetoothActor protocol AnyOperation: Cancellable {
    /// The object it is about: it ends when that or one above it goes.
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

/// One kind of pending operation for everything: it ends exactly once, by whichever comes first of its reply, the end
/// of the link, of its object, of the daemon, of the bus or of its manager, its own time limit, or cancellation.
///
/// The order at the end: what the operation holds is given back and the state is as it will stay; then its completion
/// runs; then whatever waited for it begins.
@BluetoothActor class Operation<Value>: AnyOperation {
    typealias Completion = @BluetoothActor (Result<Value, BluetoothError>) -> Void

    /// What is done, for messages: "Reading 2A26 of SensorTag".
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
    ///   - limit: how long it may take from now on or, if it waits for something first, from `startClock` on.
    ///   - isWaiting: whether it waits.
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

    /// The time that it may take begins now.
    func startClock() {
        stopWaiting()
        if isPending, let limit { setDeadline(after: limit) }
    }

    /// It waits no longer; its own time has not begun yet.
    func stopWaiting() {
        deadline = nil
        waitLimit = nil
    }

    /// It waits behind others, for so long at most.
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

    /// Runs `body` when the operation ends, before its completion: to give back what it holds. At once where it has
    /// ended.
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
