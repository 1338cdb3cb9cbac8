import BlueZDBus

/// Passes events to every connected browser. Each has its own bounded mailbox: a slow browser gets the newest readings
/// and the number of those it missed, and does not slow down the others.
final class EventHub: Sendable {
    /// How many browsers may be connected, and for how many of them there is room for the owner's alone.
    static let (limit, reserve) = (32, 8)

    private struct State {
        var mailboxes: [ObjectIdentifier: (mailbox: Mailbox, isOwner: Bool)] = [:]
        var snapshot = "{\"tags\":[]}"
        var isClosed = false
    }
    private let state = Lock(State())

    /// A mailbox with the current state; nil if too many browsers are connected, or at the end.
    func subscribe(isOwner: Bool = false, capacity: Int = Mailbox.defaultCapacity) -> Mailbox? {
        state.withLock { state in
            guard !state.isClosed, state.mailboxes.count < Self.limit,
                isOwner || state.mailboxes.values.count(where: { !$0.isOwner }) < Self.limit - Self.reserve
            else { return nil }
            let mailbox = Mailbox(capacity: capacity)
            mailbox.put(snapshot: state.snapshot)
            state.mailboxes[ObjectIdentifier(mailbox)] = (mailbox, isOwner)
            return mailbox
        }
    }

    /// Removes a mailbox.
    func unsubscribe(_ mailbox: Mailbox) {
        state.withLock { $0.mailboxes[ObjectIdentifier(mailbox)] = nil }
        mailbox.close()
    }

    /// How many browsers are connected.
    var count: Int { state.withLock { $0.mailboxes.count } }

    /// Sends a reading to all browsers: a JSON object that is encoded only once.
    func send(reading: String) {
        for mailbox in mailboxes { mailbox.put(reading: reading) }
    }

    /// Sends the state of all tags, which replaces an earlier one that was not fetched yet.
    func send(snapshot: String) {
        let mailboxes = state.withLock { state in
            state.snapshot = snapshot
            return state.mailboxes.values.map(\.mailbox)
        }
        for mailbox in mailboxes { mailbox.put(snapshot: snapshot) }
    }

    /// Closes all mailboxes; no more can be added.
    func close() {
        let mailboxes = state.withLock { state in
            state.isClosed = true
            defer { state.mailboxes = [:] }
            return state.mailboxes.values.map(\.mailbox)
        }
        for mailbox in mailboxes { mailbox.close() }
    }

    private var mailboxes: [Mailbox] { state.withLock { $0.mailboxes.values.map(\.mailbox) } }
}
