import CoreBlueZ

/// A wait for a condition of a manager's accessories.
@BluetoothActor final class AccessoryWait<Value: Sendable>: Cancellable {
    private weak var manager: AccessoryManager?
    private let find: @BluetoothActor (AccessoryManager) -> Value?
    private let late: @BluetoothActor (AccessoryManager) -> BluetoothError
    private var completion: (@BluetoothActor (Result<Value, BluetoothError>) -> Void)?
    private var timer: ScheduledCall?

    /// - Parameters:
    ///   - find: returns the awaited value, or nil if there is none yet.
    ///   - late: returns the error if there was no value in time.
    init(
        _ manager: AccessoryManager, find: @escaping @BluetoothActor (AccessoryManager) -> Value?,
        late: @escaping @BluetoothActor (AccessoryManager) -> BluetoothError,
        completion: @escaping @BluetoothActor (Result<Value, BluetoothError>) -> Void
    ) {
        self.manager = manager
        self.find = find
        self.late = late
        self.completion = completion
    }

    /// - Parameter timeout: how long to wait. With zero, the current state decides.
    func begin(_ timeout: Duration) {
        manager?.addObserver(ObjectIdentifier(self)) { self.look() }
        if timeout > .zero { timer = BluetoothActor.after(timeout) { self.end() } }
        BluetoothActor.perform {
            if timeout > .zero { self.look() } else { self.end() }
        }
    }

    private func look() {
        guard let manager else { return fail(BluetoothError(.cancelled, "The manager of accessories is gone")) }
        if completion != nil, let value = find(manager) { finish(.success(value)) }
    }

    /// Ends the wait with the current value, or the error.
    private func end() {
        look()
        if completion != nil, let manager { fail(late(manager)) }
    }

    func fail(_ error: BluetoothError) { finish(.failure(error)) }

    private func finish(_ result: Result<Value, BluetoothError>) {
        guard let completion = self.completion.take() else { return }
        timer?.cancel()
        manager?.removeObserver(ObjectIdentifier(self))
        completion(result)
    }
}
