import BlueZDBus
import BlueZPrintableText

/// A pending operation, which ends with one result.
@BluetoothActor package class Operation<Value>: AnyOperation {
    /// The closure that gets the result. Closures of the public interface are stored unchanged, because wrapping them
    /// would cost memory.
    package enum Completion {
        case result(@BluetoothActor (Result<Value, BluetoothError>) -> Void)
        case value(@BluetoothActor (Value?, BluetoothError?) -> Void)
        case error(@BluetoothActor (BluetoothError?) -> Void)
    }

    private var completion: Completion?

    /// - Parameter limit: how long the operation may take from `startClock` on.
    init(
        _ title: String, on subject: ObjectPath?, needsConnection: Bool, waitingWith limit: TimeLimit?,
        in registry: OperationRegistry, completion: Completion
    ) {
        self.completion = completion
        super.init(title, on: subject, needsConnection: needsConnection, limit: limit, in: registry)
    }

    /// - Parameter limit: how long the operation may take from now on.
    package convenience init(
        _ title: String, on subject: ObjectPath?, needsConnection: Bool, limit: Duration?,
        in registry: OperationRegistry, completion: @escaping @BluetoothActor (Result<Value, BluetoothError>) -> Void
    ) {
        self.init(
            title, on: subject, needsConnection: needsConnection, waitingWith: limit.map(TimeLimit.init), in: registry,
            completion: .result(completion))
        startClock()
    }

    package final func succeed(_ value: Value) { finish(.success(value)) }

    package final override func fail(_ error: BluetoothError) { finish(.failure(error)) }

    /// Ends the operation with the result, unless it has ended.
    package final func finish(_ result: Result<Value, BluetoothError>) {
        guard isPending else { return }
        hasEnded = true
        deadline = nil
        registry.remove(self)
        if !atEnd.isEmpty {
            let atEnd = atEnd
            self.atEnd = []
            let error = result.failure
            for body in atEnd { body(error) }
        }
        let isSuccess = if case .success = result { true } else { false }
        // If no other request waits, requests that the completion starts need not wait.
        if isSuccess, queue?.leaveIfLast() == true { queue = nil }
        // Not `take`, which looks the type's metadata up here.
        let completion = completion
        self.completion = nil
        switch completion {
        case .result(let completion): completion(result)
        case .value(let completion):
            // Not `split`, which is generic code of another module and too slow for each read.
            switch result {
            case .success(let value): completion(value, nil)
            case .failure(let error): completion(nil, error)
            }
        case .error(let completion): completion(result.failure)
        case nil: break
        }
        if let queue {
            self.queue = nil
            queue.advance(afterFailure: !isSuccess)
        }
        registry.clearTimerIfIdle()
    }
}

/// An `Operation` with any type of result. It ends exactly once, with whatever comes first: its reply, the end of the
/// link, its object, the daemon, the bus or its manager, its own timeout, or its cancellation.
///
/// At the end, first the operation releases its resources and its state becomes final, then its completion runs, and
/// then operations that waited for it begin.
@BluetoothActor package class AnyOperation: Cancellable {
    /// The description of the operation in messages, such as "Reading 2A26 of SensorTag".
    package var title: String { givenTitle }
    /// The object of the operation, which ends when that object or one above it is removed.
    package let subject: ObjectPath?
    /// Whether the operation ends with the link.
    let needsConnection: Bool
    package var isPending: Bool { !hasEnded }
    /// Stored separately from `isPending` because of exclusivity checks (CONTRIBUTING, "Fast code").
    fileprivate var hasEnded = false
    /// The latest time at which the operation ends; nil while it has no limit.
    fileprivate(set) var deadline: MonotonicInstant? {
        didSet {
            guard let deadline else { return }
            if let timer = registry.timer, timer <= deadline { return }
            registry.watch(deadline)
        }
    }
    let givenTitle: String
    private let limit: TimeLimit?
    private var isClockRunning = false
    /// How long the operation may wait for others.
    private var waitLimit: TimeLimit?
    fileprivate var atEnd: [@BluetoothActor (BluetoothError?) -> Void] = []
    /// The queue in which the operation is the current request.
    var queue: RequestQueue?
    package let registry: OperationRegistry
    /// The operation's neighbours in the registry.
    var links = OperationRegistry.Links()

    fileprivate init(
        _ title: String,
        on subject: ObjectPath?,
        needsConnection: Bool,
        limit: TimeLimit?,
        in registry: OperationRegistry
    ) {
        givenTitle = title
        self.subject = subject
        self.needsConnection = needsConnection
        self.limit = limit
        self.registry = registry
        registry.add(self)
    }

    // MARK: Time

    /// Starts the timeout, unless it has already started.
    func startClock(_ now: MonotonicInstant = .now) {
        guard isPending, !isClockRunning else { return }
        isClockRunning = true
        waitLimit = nil
        if let limit { deadline = now.advanced(by: limit) } else { deadline = nil }
    }

    /// Returns whether this part of the timeout has passed.
    func hasTaken(_ time: Duration) -> Bool {
        guard let deadline, let limit, waitLimit == nil else { return false }
        return MonotonicInstant.now.advanced(by: limit) >= deadline.advanced(by: time)
    }

    /// Ends the wait for others. The timeout has not started yet.
    package func stopWaiting() {
        deadline = nil
        waitLimit = nil
    }

    /// Begins a wait for others, which is limited to this time.
    package func wait(atMost wait: TimeLimit) {
        guard isPending else { return }
        waitLimit = wait
        deadline = MonotonicInstant.now.advanced(by: wait)
    }

    /// Ends the operation if its deadline has passed.
    func expire(_ now: MonotonicInstant) {
        guard let deadline, deadline <= now else { return }
        if let waitLimit {
            let time = waitLimit.duration
            let message =
                "\(title): it waited in the queue behind earlier requests for \(time.roundedText) and was not sent"
            fail(BluetoothError(.timedOut, message))
        } else {
            fail(BluetoothError(.timedOut, "\(title): no response within \((limit?.duration ?? .zero).roundedText)"))
        }
    }

    // MARK: The end

    /// Runs `body` when the operation ends, before its completion, to release resources. If the operation has already
    /// ended, runs it immediately.
    package func whenEnded(_ body: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        if isPending { atEnd = atEnd + [body] } else { body(nil) }
    }

    /// Ends the operation with the error, unless it has ended. `Operation` implements this; it is the only class of
    /// which there are instances.
    package func fail(_ error: BluetoothError) {}
}
