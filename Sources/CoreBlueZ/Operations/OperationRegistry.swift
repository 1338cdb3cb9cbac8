import DBus

/// The pending operations of one central manager, and the clock of those that have a deadline.
@BluetoothActor final class OperationRegistry {
    /// Where an operation is.
    struct Place {
        fileprivate var index: Int
        fileprivate let number: UInt64
    }

    /// In no order, so that each can be taken out at once.
    private var operations: [any AnyOperation] = []
    private var next: UInt64 = 0
    private var token: EventLoop.Token?
    /// When `expire` runs at the latest: not later than the first deadline, but perhaps for an operation that has ended.
    private var alarm: MonotonicInstant?

    isolated deinit {
        if let token { BluetoothActor.loop.removeSource(token) }
    }

    func add(_ operation: any AnyOperation) {
        operation.place = Place(index: operations.count, number: next)
        operations.append(operation)
        next += 1
    }

    func remove(_ operation: any AnyOperation) {
        guard let place = operation.place, let last = operations.popLast() else { return }
        operation.place = nil
        if last !== operation {
            operations[place.index] = last
            last.place?.index = place.index
        }
        if operations.isEmpty { setAlarm(nil) }
    }

    var count: Int { operations.count }

    // MARK: Deadlines

    /// An operation has a deadline now.
    func watch(_ deadline: MonotonicInstant) {
        if alarm.map({ deadline < $0 }) ?? true { setAlarm(deadline) }
    }

    private func setAlarm(_ instant: MonotonicInstant?) {
        guard alarm != instant else { return }
        alarm = instant
        let token =
            token
            ?? BluetoothActor.loop.addSource(descriptor: -1, events: []) { [weak self] _ in
                BluetoothActor.assumeIsolated { self?.expire() }
            }
        self.token = token
        BluetoothActor.loop.setDeadline(instant, of: token)
    }

    private func expire() {
        let now = MonotonicInstant.now
        let due = inOrder.filter { operation in operation.deadline.map { $0 <= now } ?? false }
        for operation in due { operation.expire(now) }
        alarm = nil
        if let earliest = operations.compactMap(\.deadline).min() { setAlarm(earliest) }
    }

    // MARK: Ends

    /// In the order in which they began.
    private var inOrder: [any AnyOperation] {
        operations.sorted { ($0.place?.number ?? 0) < ($1.place?.number ?? 0) }
    }

    /// Ends all operations for which the closure returns an error, in the order in which they began. Operations that
    /// completions start are not affected.
    func fail(_ error: (any AnyOperation) -> BluetoothError?) {
        let failures = inOrder.compactMap { operation in error(operation).map { (operation, $0) } }
        for (operation, error) in failures { operation.fail(error) }
    }

    func failAll(_ error: BluetoothError) {
        fail { _ in error }
    }

    /// Ends the operations that need the link of a device.
    func failConnected(below device: ObjectPath, _ error: BluetoothError) {
        fail { operation in
            guard operation.needsConnection, let subject = operation.subject, device.contains(subject) else {
                return nil
            }
            return error
        }
    }

    /// Ends the operations on an object or one below it.
    func failAll(below path: ObjectPath, _ error: BluetoothError) {
        fail { operation in
            guard let subject = operation.subject, path.contains(subject) else { return nil }
            return error
        }
    }

    /// Ends the operations on an object or one below it, unless a more specific reason ends them first: bluetoothd
    /// removes the attributes of a device before the device, and a device before its adapter.
    func failUnlessExplained(below path: ObjectPath, _ error: BluetoothError) {
        let concerned = operations.filter { $0.subject.map(path.contains) ?? false }
        guard !concerned.isEmpty else { return }
        _ = BluetoothActor.after(.milliseconds(100)) {
            for operation in concerned { operation.fail(error) }
        }
    }
}
