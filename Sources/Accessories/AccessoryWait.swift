import CoreBlueZ

/// Somebody who waits for something of a manager's accessories.
@BluetoothActor final class AccessoryWait<Value: Sendable>: Cancellable {
    private weak var manager: AccessoryManager?
    private let find: @BluetoothActor (AccessoryManager) -> Value?
    private let late: @BluetoothActor (AccessoryManager) -> BluetoothError
    private var completion: (@BluetoothActor (Result<Value, BluetoothError>) -> Void)?
    private var timer: ScheduledCall?

    /// - Parameters:
    ///   - find: what is waited for, as soon as it is there.
    ///   - late: the error if it was not there in time.
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

    /// - Parameter timeout: how long to wait; with zero, what is there now decides.
    func begin(_ timeout: Duration) {
        manager?.addObserver(ObjectIdentifier(self)) { self.look() }
        if timeout > .zero { timer = BluetoothActor.after(timeout) { self.end() } }
        BluetoothActor.later {
            if timeout > .zero { self.look() } else { self.end() }
        }
    }

    private func look() {
        guard let manager else { return fail(BluetoothError(.cancelled, "The manager of accessories is gone")) }
        if completion != nil, let value = find(manager) { finish(.success(value)) }
    }

    /// Takes what is there by now.
    private func end() {
        look()
        if completion != nil, let manager { fail(late(manager)) }
    }

    func fail(_ error: BluetoothError) { finish(.failure(error)) }

    private func finish(_ result: Result<Value, BluetoothError>) {
        guard let completion else { return }
        self.completion = nil
        timer?.cancel()
        manager?.removeObserver(ObjectIdentifier(self))
        completion(result)
    }
}
