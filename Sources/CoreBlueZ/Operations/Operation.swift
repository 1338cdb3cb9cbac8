import DBus

/// Something that was asked for and not answered yet.
@BluetoothActor protocol AnyOperation: Cancellable {
    /// The object it is about: it ends when that or one above it goes.
    var subject: ObjectPath? { get }
    /// Whether it ends with the link.
    var needsConnection: Bool { get }
}

/// One kind of pending operation for everything: it ends exactly once, by whichever comes first of its reply, the end
/// of the link, of its object, of the daemon, of the bus or of its manager, its own deadline, or cancellation.
@BluetoothActor final class Operation<Value>: AnyOperation {
    typealias Completion = @BluetoothActor (Result<Value, BluetoothError>) -> Void

    /// What is done, for messages: "Reading 2A26 of SensorTag".
    let title: String
    let subject: ObjectPath?
    let needsConnection: Bool
    private var completion: Completion?
    private var deadline: ScheduledCall?
    private var atEnd: [@BluetoothActor (BluetoothError?) -> Void] = []
    private weak var registry: OperationRegistry?

    init(
        _ title: String,
        on subject: ObjectPath?,
        needsConnection: Bool,
        deadline: Duration?,
        in registry: OperationRegistry,
        completion: @escaping Completion
    ) {
        self.title = title
        self.subject = subject
        self.needsConnection = needsConnection
        self.completion = completion
        self.registry = registry
        registry.add(self)
        guard let deadline else { return }
        self.deadline = BluetoothActor.after(deadline) { [weak self] in
            self?.fail(BluetoothError(.timedOut, "\(title): no answer within \(deadline)"))
        }
    }

    var isPending: Bool { completion != nil }

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
        deadline?.cancel()
        registry?.remove(self)
        var error: BluetoothError?
        if case .failure(let reason) = result { error = reason }
        let atEnd = atEnd
        self.atEnd = []
        for body in atEnd { body(error) }
        completion(result)
    }
}
