import BlueZDBus

/// The pending operations of one central manager, and the timer of those that have a deadline.
@BluetoothActor package final class OperationRegistry {
    /// An operation's links in the list.
    struct Links {
        fileprivate var isListed = false
        fileprivate var previous: AnyOperation?
        fileprivate var next: AnyOperation?
    }

    /// The target of the loop's callback. It references the registry only while a deadline is set. So no weak reference
    /// is needed, which would slow down each use of the registry.
    @BluetoothActor private final class TimerTarget {
        var registry: OperationRegistry?
    }

    // A linked list in starting order, from which each operation can be removed in constant time.
    private var first: AnyOperation?
    private var last: AnyOperation?
    private let timerTarget = TimerTarget()
    private var token: EventLoop.Token?
    /// The time of the next `expire`, which is not later than the first deadline, but may be that of an operation that
    /// has ended.
    private(set) var timer: MonotonicInstant?

    package init() {}

    isolated deinit {
        if let token { BluetoothActor.loop.removeSource(token) }
    }

    func add(_ operation: AnyOperation) {
        operation.links = Links(isListed: true, previous: last)
        if let last { last.links.next = operation } else { first = operation }
        last = operation
    }

    func remove(_ operation: AnyOperation) {
        let links = operation.links
        guard links.isListed else { return }
        operation.links = Links()
        if let previous = links.previous { previous.links.next = links.next } else { first = links.next }
        if let next = links.next { next.links.previous = links.previous } else { last = links.previous }
    }

    // MARK: Deadlines

    /// Notes the deadline of an operation. The timer stays set until no operation is left.
    func watch(_ deadline: MonotonicInstant) {
        timer = deadline
        timerTarget.registry = self
        let token =
            token
            ?? BluetoothActor.loop.addSource(
                descriptor: -1, events: [],
                handler: BluetoothActor.handler { [timerTarget] _ in timerTarget.registry?.expire() })
        self.token = token
        BluetoothActor.loop.setDeadline(deadline, of: token)
    }

    /// Clears the timer when no operation is left, so that an idle client is not woken. Called after a completion,
    /// which may have started the next operation. The timer then stays.
    func clearTimerIfIdle() {
        guard first == nil, timer != nil, let token else { return }
        timer = nil
        timerTarget.registry = nil
        BluetoothActor.loop.setDeadline(nil, of: token)
    }

    private func expire() {
        let now = MonotonicInstant.now
        let due = inOrder.filter { operation in operation.deadline.map { $0 <= now } ?? false }
        for operation in due { operation.expire(now) }
        timer = nil
        timerTarget.registry = nil
        if let earliest = inOrder.compactMap(\.deadline).min() { watch(earliest) }
    }

    // MARK: Ends

    /// The number of pending operations.
    package var count: Int { inOrder.count }

    /// All pending operations, in the order in which they started.
    private var inOrder: [AnyOperation] {
        [AnyOperation](
            sequence(state: first) { next in
                defer { next = next?.links.next }
                return next
            })
    }

    /// Ends all operations for which the closure returns an error, in the order in which they started. Operations that
    /// completions start are not affected.
    package func fail(_ error: (AnyOperation) -> BluetoothError?) {
        let failures = inOrder.compactMap { operation in error(operation).map { (operation, $0) } }
        for (operation, error) in failures { operation.fail(error) }
    }

    package func failAll(_ error: BluetoothError) {
        fail { _ in error }
    }

    /// Ends the operations that need the link of a device.
    package func failConnected(below device: ObjectPath, _ error: BluetoothError) {
        fail { operation in
            guard operation.needsConnection, let subject = operation.subject, device.contains(subject) else {
                return nil
            }
            return error
        }
    }

    /// Ends the operations on an object or one below it.
    package func failAll(below path: ObjectPath, _ error: BluetoothError) {
        fail { operation in
            guard let subject = operation.subject, path.contains(subject) else { return nil }
            return error
        }
    }

    /// Ends the operations on an object or one below it, unless a more specific reason ends them first. bluetoothd
    /// removes the attributes of a device before the device, and a device before its adapter.
    package func failUnlessExplained(below path: ObjectPath, _ error: BluetoothError) {
        let concerned = inOrder.filter { $0.subject.map(path.contains) ?? false }
        guard !concerned.isEmpty else { return }
        _ = BluetoothActor.after(.milliseconds(100)) {
            for operation in concerned { operation.fail(error) }
        }
    }
}
