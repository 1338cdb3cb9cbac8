import BlueZDBus
import DequeModule

/// Keeps the calls in flight below the bus's limit. The system bus lets a connection wait for 128 replies, and refuses
/// the next call (dbus-daemon: max_replies_per_connection). Further calls wait for a slot.
///
/// Each kind of call has its own limiter, so that slow calls do not delay others. Connecting may take most of a minute,
/// and calls that release something must always be sent.
@BluetoothActor package final class CallLimiter {
    package enum Kind: CaseIterable {
        /// Reading, writing, subscribing.
        case attribute
        /// Connecting and pairing.
        case link
        /// All other calls: disconnecting, unsubscribing, scanning, queries.
        case control

        /// The maximum number of calls in flight. Eight of the 128 slots are unassigned, because a call without a reply
        /// uses its slot on the bus even after this program has stopped waiting for it.
        package var capacity: Int {
            switch self {
            case .attribute: 64
            case .link: 28
            case .control: 28
            }
        }
    }

    let capacity: Int
    let channels: ValueChannels
    /// The client. It is a weak reference because a call without a reply retains the limiter.
    weak var client: BlueZClient?
    /// The client's connection, stored here because a weak reference is slow.
    var connection: Connection?
    var taken = 0
    private var waiting: Deque<any Call> = []
    /// Whether any calls wait. It is stored separately because every call checks it.
    private(set) var hasWaiting = false
    /// Whether a call would be sent now.
    ///
    /// - Parameter isNext: whether it is the one that has waited longest.
    func hasSlot(isNext: Bool = false) -> Bool { taken < capacity && (isNext || !hasWaiting) }

    init(_ kind: Kind, _ channels: ValueChannels) {
        capacity = kind.capacity
        self.channels = channels
    }

    func append(_ call: any Call) {
        waiting.append(call)
        hasWaiting = true
    }

    func performWaiting() {
        while taken < capacity, let call = waiting.popFirst() {
            hasWaiting = !waiting.isEmpty
            call.perform(isNext: true)
        }
    }
}

/// The limiters of a connection to bluetoothd.
@BluetoothActor struct CallLimiters {
    let attribute: CallLimiter
    let link: CallLimiter
    let control: CallLimiter

    init(_ channels: ValueChannels) {
        attribute = CallLimiter(.attribute, channels)
        link = CallLimiter(.link, channels)
        control = CallLimiter(.control, channels)
    }

    subscript(kind: CallLimiter.Kind) -> CallLimiter {
        switch kind {
        case .attribute: attribute
        case .link: link
        case .control: control
        }
    }
}
