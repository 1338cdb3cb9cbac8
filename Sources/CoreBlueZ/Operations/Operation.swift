import DBus

/// A pending operation with a result.
@BluetoothActor final class Operation<Value>: AnyOperation {
    typealias Completion = @BluetoothActor (Result<Value, BluetoothError>) -> Void

    private var completion: Completion?
    private var value: Value?

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
        self.completion = completion
        super.init(
            title, on: subject, needsConnection: needsConnection, limit: limit.map(TimeLimit.init),
            isWaiting: isWaiting,
            in: registry)
    }

    func succeed(_ value: Value) {
        guard isPending else { return }
        self.value = value
        end(nil)
    }

    func finish(_ result: Result<Value, BluetoothError>) {
        switch result {
        case .success(let value): succeed(value)
        case .failure(let error): fail(error)
        }
    }

    override func complete(_ error: BluetoothError?) {
        guard let completion else { return }
        self.completion = nil
        if let error { return completion(.failure(error)) }
        guard let value else { return }
        self.value = nil
        completion(.success(value))
    }
}
