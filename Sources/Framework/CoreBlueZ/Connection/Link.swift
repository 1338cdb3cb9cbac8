import BlueZClient
import BlueZDBus

/// A peripheral's link: the state, the attempts to make it or to restore it, and the operations that wait for it.
/// `handle` applies every change.
@BluetoothActor final class Link {
    /// The changes of a link for which operations wait.
    enum Change {
        case connected, resolved, disconnected
    }

    private(set) var state: LinkState {
        didSet {
            changed?()
            guard !isWithdrawn else { return }
            let waiters = withdrawalWaiters
            withdrawalWaiters = []
            for waiter in waiters { waiter() }
        }
    }
    /// Called when `state` or `reconnection` may have changed.
    var changed: (@BluetoothActor () -> Void)?
    /// Whether an attempt of this object has ended with a link that the program has made: one that came up while
    /// bluetoothd was connecting for the program.
    private(set) var isOurs = false
    /// Whether there are attempts to make the link.
    var isBeingMade: Bool { !attempts.isEmpty }
    /// Whether the program has made the link, is making it, or waits for the end of an attempt that it has abandoned.
    var isProgramsOwn: Bool { isOurs || !attempts.isEmpty || reconnection != nil || isWithdrawn }
    /// Whether the device's removal was requested, so that its link is not restored.
    var isRemovalWanted = false
    /// The attempts to restore a lost link, while they last.
    var reconnection: Reconnection? { didSet { changed?() } }
    private var attempts: [ObjectIdentifier: Operation<Void>] = [:]
    /// The link that was up when an attempt began, by its number.
    private var earlierLinks: [ObjectIdentifier: Int] = [:]
    /// The number of links so far.
    private var number = 0
    private var withdrawalWaiters: [@BluetoothActor () -> Void] = []
    private(set) var observers: [(operation: ObjectIdentifier, body: @BluetoothActor (Change) -> Void)] = []

    /// - Parameter isUp: whether bluetoothd reports a link already.
    init(isUp: Bool) {
        state = isUp ? .up : .down
    }

    func handle(_ event: LinkState.Event) {
        let next = state.after(event)
        // An attempt that began with a link goes on after its loss.
        state = event == .loss && isBeingMade ? next.after(.attempt) : next
        if event == .link { number += 1 }
        if event == .loss || event == .release { isOurs = false }
    }

    // MARK: Attempts

    func begin(_ attempt: Operation<Void>) {
        attempts[ObjectIdentifier(attempt)] = attempt
        if state == .up { earlierLinks[ObjectIdentifier(attempt)] = number }
        handle(.attempt)
    }

    /// Handles the end of an attempt. While others continue, its failure does not affect the link.
    ///
    /// - Parameters:
    ///   - mayConnect: whether bluetoothd may be connecting for the program, or has connected.
    ///   - isLinkOwn: whether the program has made the link.
    /// - Returns: true if bluetoothd may still be connecting, or begin to, although nothing wants the link.
    func end(_ attempt: Operation<Void>, _ error: BluetoothError?, mayConnect: Bool, isLinkOwn: Bool) -> Bool {
        attempts[ObjectIdentifier(attempt)] = nil
        let earlier = earlierLinks.removeValue(forKey: ObjectIdentifier(attempt))
        guard let error else {
            if isLinkOwn, earlier != number { isOurs = true }
            handle(.success)
            return false
        }
        guard attempts.isEmpty else { return false }
        let isGivenUp = mayConnect && (error.code == .connectionTimedOut || error.code == .cancelled)
        handle(isGivenUp ? .withdrawal : .failure)
        return isGivenUp || isWithdrawn
    }

    /// Whether bluetoothd may still end the last attempt, which was abandoned, or its link.
    private var isWithdrawn: Bool { state == .withdrawing || state == .abandoned }

    /// Calls `body` when bluetoothd has ended an attempt that was abandoned.
    func whenWithdrawn(_ body: @escaping @BluetoothActor () -> Void) {
        if isWithdrawn { withdrawalWaiters.append(body) } else { BluetoothActor.perform(body) }
    }

    /// Cancels all attempts, because the program no longer wants a link.
    func cancelAttempts() {
        for attempt in attempts.values { attempt.fail(.cancelled(attempt.title)) }
    }

    // MARK: Waiting

    /// Runs `body` for each event of the link, until the operation ends.
    func observe(during operation: AnyOperation, _ body: @escaping @BluetoothActor (Change) -> Void) {
        guard operation.isPending else { return }
        let key = ObjectIdentifier(operation)
        observers.append((key, body))
        operation.whenEnded { [weak self] _ in self?.observers.removeAll { $0.operation == key } }
    }

    /// Reports a change to the operations that wait for it and are still pending.
    func report(_ change: Change) {
        for observer in observers where observers.contains(where: { $0.operation == observer.operation }) {
            observer.body(change)
        }
    }
}

/// The state of a peripheral's link, which follows from bluetoothd's reports and the program's requests. `table`
/// defines all transitions.
enum LinkState: CaseIterable {
    /// There is no link.
    case down
    /// The program is connecting. No link is reported yet.
    case connecting
    /// The program is connecting, and a link is reported, but the attempt has not ended.
    case arriving
    /// There is a link, made by this program or by another.
    case up
    /// The program has asked to end the link, which is still reported.
    case ending
    /// A link came up after its attempt was abandoned. It is being ended, and was never reported to the program.
    case abandoned
    /// The program has told bluetoothd to end a link that is not reported yet, and may still come up.
    case withdrawing

    enum Event: CaseIterable {
        /// An attempt to connect begins or is repeated.
        case attempt
        /// An attempt has found or made a link.
        case success
        /// The last attempt has failed, and bluetoothd is no longer connecting.
        case failure
        /// The last attempt was abandoned while bluetoothd was connecting, so Disconnect is called.
        case withdrawal
        /// bluetoothd reports a link.
        case link
        /// The link is gone: bluetoothd reported its end, removed the device, or stopped.
        case loss
        /// The program calls Disconnect.
        case disconnection
        /// bluetoothd has ended the link.
        case disconnected
        /// bluetoothd has refused to end the link, or has not replied.
        case refusal
        /// The manager has released the peripheral.
        case release
    }

    /// The states to which each event leads. A state that is not listed for an event remains unchanged.
    static let table: [Event: [LinkState: LinkState]] = [
        .attempt: [.down: .connecting, .withdrawing: .connecting],
        .success: [.down: .up, .connecting: .up, .arriving: .up, .abandoned: .up, .withdrawing: .up],
        .failure: [.connecting: .down, .arriving: .up],
        .withdrawal: [.down: .withdrawing, .connecting: .withdrawing, .arriving: .abandoned],
        .link: [.down: .up, .connecting: .arriving, .withdrawing: .abandoned],
        .loss: [.arriving: .connecting, .up: .down, .ending: .down, .abandoned: .down, .withdrawing: .down],
        .disconnection: [
            .down: .withdrawing, .connecting: .withdrawing, .arriving: .ending, .up: .ending, .abandoned: .ending,
        ],
        .disconnected: [.withdrawing: .down],
        .refusal: [.ending: .up, .abandoned: .up, .withdrawing: .down],
        .release: [
            .connecting: .down, .arriving: .down, .up: .down, .ending: .down, .abandoned: .down, .withdrawing: .down,
        ],
    ]

    func after(_ event: Event) -> LinkState { Self.table[event]?[self] ?? self }

    /// The state in the public interface.
    var peripheralState: PeripheralState {
        switch self {
        case .down, .withdrawing: .disconnected
        case .connecting, .arriving: .connecting
        case .up: .connected
        case .ending, .abandoned: .disconnecting
        }
    }

    /// Whether the program knows of the link, so that its end must be reported.
    var isKnown: Bool { self == .up || self == .ending }
}
