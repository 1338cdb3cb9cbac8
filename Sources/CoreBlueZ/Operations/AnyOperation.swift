import DBus
import PrintableText

/// A pending operation, whatever its result is. It ends exactly once, with whichever comes first: its reply, the end of
/// the link, of its object, of the daemon, of the bus or of its manager, its own time limit, or cancellation.
///
/// The order at the end: what the operation holds is released and the state is final; then its completion runs; then
/// whatever waited for it begins.
@BluetoothActor class AnyOperation: Cancellable {
    /// What the operation does, for messages: "Reading 2A26 of SensorTag".
    var title: String { givenTitle }
    /// The object it is about: the operation ends when that object or one above it goes away.
    let subject: ObjectPath?
    /// Whether it ends with the link.
    let needsConnection: Bool
    private(set) var isPending = true
    /// When it ends at the latest; nil while nothing limits it.
    private(set) var deadline: MonotonicInstant?
    let givenTitle: String
    private let limit: TimeLimit?
    /// How long it may wait, if it waits behind others.
    private var waitLimit: TimeLimit?
    private var atEnd: [@BluetoothActor (BluetoothError?) -> Void] = []
    /// The queue that it is the first of.
    var line: OperationQueue.Line?
    let registry: OperationRegistry
    /// Its neighbours in the registry.
    var links = OperationRegistry.Links()

    /// - Parameters:
    /// - limit: how long it may take from now on or, if it waits for something first, from `startClock` on.
    /// - isWaiting: whether it waits.
    init(
        _ title: String,
        on subject: ObjectPath?,
        needsConnection: Bool,
        limit: TimeLimit?,
        isWaiting: Bool = false,
        in registry: OperationRegistry
    ) {
        givenTitle = title
        self.subject = subject
        self.needsConnection = needsConnection
        self.limit = limit
        self.registry = registry
        registry.add(self)
        if !isWaiting { startClock() }
    }

    // MARK: Time

    /// Starts the time that it may take.
    func startClock(_ now: MonotonicInstant = .now) {
        stopWaiting()
        if isPending, let limit { setDeadline(now.advanced(by: limit)) }
    }

    /// Whether so much of its own time has passed.
    func hasTaken(_ time: Duration) -> Bool {
        guard let deadline, let limit, waitLimit == nil else { return false }
        return MonotonicInstant.now.advanced(by: limit) >= deadline.advanced(by: time)
    }

    /// It no longer waits; its own time has not started yet.
    func stopWaiting() {
        deadline = nil
        waitLimit = nil
    }

    /// It waits behind others, for at most this long.
    func wait(atMost wait: TimeLimit) {
        guard isPending else { return }
        waitLimit = wait
        setDeadline(MonotonicInstant.now.advanced(by: wait))
    }

    private func setDeadline(_ instant: MonotonicInstant) {
        deadline = instant
        registry.watch(instant)
    }

    /// Ends it, if its deadline has passed.
    func expire(_ now: MonotonicInstant) {
        guard let deadline, deadline <= now else { return }
        if let waitLimit {
            let time = waitLimit.duration
            let message =
                "\(title): it waited in the queue behind earlier requests for \(time.inSeconds) and was not sent"
            fail(BluetoothError(.timedOut, message))
        } else {
            fail(BluetoothError(.timedOut, "\(title): no answer within \((limit?.duration ?? .zero).inSeconds)"))
        }
    }

    // MARK: The end

    /// Runs `body` when the operation ends, before its completion, to release what it holds. Runs it at once if the
    /// operation has ended.
    func whenEnded(_ body: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        if isPending { atEnd = atEnd + [body] } else { body(nil) }
    }

    func fail(_ error: BluetoothError) { end(error) }

    /// Ends it, unless it has ended.
    func end(_ error: BluetoothError?) {
        guard isPending else { return }
        isPending = false
        deadline = nil
        registry.remove(self)
        if !atEnd.isEmpty {
            let atEnd = atEnd
            self.atEnd = []
            for body in atEnd { body(error) }
        }
        let hasFailed = if case .some = error { true } else { false }
        // If nobody waits, what the completion begins need not wait either.
        if !hasFailed, line?.leaveIfLast() == true { line = nil }
        complete(error)
        if let line {
            self.line = nil
            line.advance(afterFailure: hasFailed)
        }
        registry.settle()
    }

    /// Runs the completion. `end` calls it, once; each kind of operation has its own.
    func complete(_ error: BluetoothError?) {}
}
