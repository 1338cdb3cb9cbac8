import DBus

/// A peripheral's link, as its manager sees it: the state, the attempts to make it or to get it back, and whoever waits for
/// something to happen to it. Every change comes in by `handle`.
@BluetoothActor final class Link {
    /// What happens to a link, as far as operations wait for it.
    enum News {
        case connected, resolved, disconnected
    }

    private(set) var state: LinkState
    /// Whether the link came up because this object was asked to connect.
    private(set) var isOurs = false
    /// Whether the device's removal was asked for: its link is not brought back.
    var isRemovalWanted = false
    /// What brings a lost link back, while it does.
    var reconnection: Reconnection?
    private var attempts: [ObjectIdentifier: Operation<Void>] = [:]
    private(set) var observers: [(operation: ObjectIdentifier, body: @BluetoothActor (News) -> Void)] = []

    /// - Parameter isUp: whether bluetoothd reports a link already.
    init(isUp: Bool) {
        state = isUp ? .up : .down
    }

    func handle(_ event: LinkState.Event) {
        let old = state
        state = old.after(event)
        if event == .success, old != .up { isOurs = true }
        if event == .loss || event == .release { isOurs = false }
    }

    // MARK: Attempts

    func begin(_ attempt: Operation<Void>) {
        attempts[ObjectIdentifier(attempt)] = attempt
        handle(.attempt)
    }

    /// An attempt has ended. While others go on, its failure means nothing for the link.
    ///
    /// - Parameter hasCalled: whether it has asked bluetoothd to connect.
    /// - Returns: whether bluetoothd may still be connecting, for nobody.
    func end(_ attempt: Operation<Void>, _ error: BluetoothError?, hasCalled: Bool) -> Bool {
        attempts[ObjectIdentifier(attempt)] = nil
        guard let error else {
            handle(.success)
            return false
        }
        guard attempts.isEmpty else { return false }
        let isGivenUp = hasCalled && (error.code == .connectionTimedOut || error.code == .cancelled)
        handle(isGivenUp ? .withdrawal : .failure)
        return state == .withdrawing || state == .abandoned
    }

    /// Ends all attempts: the program wants no link any longer.
    func cancelAttempts() {
        for attempt in attempts.values { attempt.fail(.cancelled(attempt.title)) }
    }

    // MARK: Waiting

    /// Runs `body` for each thing that happens to the link, until the operation ends.
    func observe<Value>(during operation: Operation<Value>, _ body: @escaping @BluetoothActor (News) -> Void) {
        guard operation.isPending else { return }
        let key = ObjectIdentifier(operation)
        observers.append((key, body))
        operation.whenEnded { [weak self] _ in self?.observers.removeAll { $0.operation == key } }
    }

    /// Tells the operations that are still pending when their turn comes.
    func report(_ news: News) {
        for observer in observers where observers.contains(where: { $0.operation == observer.operation }) {
            observer.body(news)
        }
    }
}
