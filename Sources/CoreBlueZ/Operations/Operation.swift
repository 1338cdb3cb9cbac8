import DBus

/// A request that has not been answered yet.
@BluetoothActor protocol AnyOperation: Cancellable {
    /// The object it is about: the operation ends when that object or one above it goes away.
    var subject: ObjectPath? { get }
    var isPending: Bool { get }
    /// Whether it ends with the link.
    var needsConnection: Bool { get }
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
    private var timer: ScheduledCall?
    private var atEnd: [@BluetoothActor (BluetoothError?) -> Void] = []
    private var afterwards: (@BluetoothActor (BluetoothError?) -> Void)?
    private weak var registry: OperationRegistry?

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
        timer?.cancel()
        timer = nil
        guard isPending, let limit else { return }
        timer = BluetoothActor.after(limit) { [weak self] in
            guard let self else { return }
            self.fail(BluetoothError(.timedOut, "\(self.title): no answer within \(limit)"))
        }
    }

    /// It no longer waits; its own time has not started yet.
    func stopWaiting() {
        timer?.cancel()
        timer = nil
    }

    /// It waits behind others, for at most this long.
    func wait(atMost wait: Duration) {
        timer?.cancel()
        timer = BluetoothActor.after(wait) { [weak self] in
            guard let self else { return }
            let message = "\(self.title): it waited in the queue behind earlier requests for \(wait) and was not sent"
            self.fail(BluetoothError(.timedOut, message))
        }
    }

    /// Runs `body` when the operation ends, before its completion, to release what it holds. Runs it at once if the
    /// operation has ended.
    func whenEnded(_ body: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        if isPending { atEnd.append(body) } else { body(nil) }
    }

    /// Runs `body` after the completion, for the queue that the operation is in; at once if the operation has ended.
    func whenOver(_ body: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        if isPending { afterwards = body } else { body(nil) }
    }

    func succeed(_ value: Value) { finish(.success(value)) }

    package func fail(_ error: BluetoothError) { finish(.failure(error)) }

    func finish(_ result: Result<Value, BluetoothError>) {
        guard let completion else { return }
        self.completion = nil
        timer?.cancel()
        timer = nil
        registry?.remove(self)
        var error: BluetoothError?
        if case .failure(let reason) = result { error = reason }
        let atEnd = atEnd
        self.atEnd = []
        for body in atEnd { body(error) }
        completion(result)
        let afterwards = afterwards
        self.afterwards = nil
        afterwards?(error)
    }
}
