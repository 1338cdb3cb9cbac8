import BlueZDBus

/// A bounded queue from a broker's thread to an actor, in which each sender has a fair share. Messages that do not fit
/// are dropped and counted. Changes of the connection are always kept.
///
/// ```swift
/// let mailbox = BrokerMailbox(topics) { BluetoothActor.perform { gateway.empty(mailbox) } }
/// try broker.start(will: will, subscriptions: subscriptions, handler: mailbox.put)
/// ```
package final class BrokerMailbox: Sendable {
    /// An event, and the time at which it arrived.
    package struct Entry: Hashable, Sendable {
        package var event: BrokerEvent
        package var arrival: BootInstant
        /// The kind of a message's topic; nil if it is unknown, and for other events.
        package var kind: Topics.Kind?
    }

    /// The content of a mailbox.
    package struct Contents: Hashable, Sendable {
        /// The events, oldest first.
        package var entries: [Entry] = []
        /// The number of messages that were dropped since the last call because the mailbox was full.
        package var dropped = 0
    }

    private struct State {
        var contents = Contents()
        /// The messages by sender; nil is for unknown topics.
        var messages: FairShare<GatewayName?>
        var bytes: FairShare<GatewayName?>
        var isWakeupDue = false
    }

    private let topics: Topics
    private let empty: State
    private let state: Lock<State>
    private let wakeup: @Sendable () -> Void

    /// Creates an empty mailbox.
    ///
    /// - Parameters:
    ///   - topics: the topics of the expected messages.
    ///   - messages: the maximum number of events.
    ///   - bytes: the maximum number of bytes of messages.
    ///   - wakeup: called on the broker's thread when the empty mailbox gets its first event. It must not wait.
    package init(
        _ topics: Topics, messages: Int = GatewayLimits.mailboxMessages, bytes: Int = GatewayLimits.mailboxBytes,
        wakeup: @escaping @Sendable () -> Void
    ) {
        self.topics = topics
        empty = State(messages: FairShare(limit: messages), bytes: FairShare(limit: bytes))
        state = Lock(empty)
        self.wakeup = wakeup
    }

    /// Adds an event. It can be called from any thread.
    package func put(_ event: BrokerEvent) {
        let kind: Topics.Kind? = if case .message(let message) = event { topics.kind(of: message.topic) } else { nil }
        let entry = Entry(event: event, arrival: .now, kind: kind)
        let isFirst = state.withLock { state in
            let size = event.size
            let sender = kind?.sender
            if event.mayBeDropped, !state.messages.hasRoom(for: sender) || !state.bytes.hasRoom(size, for: sender) {
                state.contents.dropped += 1
            } else {
                state.contents.entries.append(entry)
                state.messages.add(1, for: sender)
                state.bytes.add(size, for: sender)
            }
            defer { state.isWakeupDue = true }
            return !state.isWakeupDue
        }
        if isFirst { wakeup() }
    }

    /// Whether the mailbox is empty.
    package var isEmpty: Bool { state.withLock { $0.contents.entries.isEmpty } }

    /// Removes and returns everything.
    package func take() -> Contents {
        state.withLock { state in
            defer { state = empty }
            return state.contents
        }
    }
}

extension BrokerEvent {
    fileprivate var size: Int {
        switch self {
        case .message(let message): message.size
        case .publishRefused(let topic, let correlation, let error):
            topic.utf8.count + (correlation?.count ?? 0) + error.message.utf8.count
        case .subscriptionRefused(let filter, let error): filter.utf8.count + error.message.utf8.count
        case .connected, .disconnected, .refused: 0
        }
    }

    /// Whether the event may be dropped. Changes of the connection are few, and nothing else reports them.
    fileprivate var mayBeDropped: Bool {
        switch self {
        case .message, .publishRefused, .subscriptionRefused: true
        case .connected, .disconnected, .refused: false
        }
    }
}
