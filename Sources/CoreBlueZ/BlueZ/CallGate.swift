import DBus
import DequeModule

/// Keeps the calls in flight below the bus's limit: the system bus lets a connection wait for 128 replies and refuses
/// the next call (dbus-daemon: max_replies_per_connection). Calls that find no place wait their turn.
///
/// Calls are in lanes, so that slow ones do not hold up others: connecting may take most of a minute, and calls that
/// give something back must always get through.
@BluetoothActor final class CallGate {
    enum Lane: CaseIterable {
        /// Reading, writing, subscribing.
        case attribute
        /// Connecting and pairing.
        case link
        /// All else: disconnecting, unsubscribing, scanning, asking bluetoothd for what it knows.
        case control

        /// How many of the lane's calls may be in flight. Eight of the 128 places are unassigned: a call that
        /// bluetoothd never answers keeps its place on the bus after this program has stopped waiting for it.
        var capacity: Int {
            switch self {
            case .attribute: 64
            case .link: 28
            case .control: 28
            }
        }
    }

    /// A call that waits for a place: it sends itself, or returns false if nobody wants it any longer.
    typealias Start = @BluetoothActor () -> Bool

    private final class Places {
        let capacity: Int
        var taken = 0
        var waiting: Deque<Start> = []
        /// Whether any wait; beside them, because it is asked for at each call.
        var isCrowded = false

        init(_ lane: Lane) {
            capacity = lane.capacity
        }
    }

    private let attribute = Places(.attribute)
    private let link = Places(.link)
    private let control = Places(.control)

    private func places(_ lane: Lane) -> Places {
        switch lane {
        case .attribute: attribute
        case .link: link
        case .control: control
        }
    }

    /// Takes a place for a call. `leave` follows when the call has ended.
    ///
    /// - Returns: whether there was one: the call may be sent.
    func enter(_ lane: Lane) -> Bool {
        let places = places(lane)
        guard places.taken < places.capacity, !places.isCrowded else { return false }
        places.taken += 1
        return true
    }

    /// Remembers what starts a call when there is a place for it. `leave` follows when the call has ended.
    func wait(_ lane: Lane, _ start: @escaping Start) {
        let places = places(lane)
        places.waiting.append(start)
        places.isCrowded = true
    }

    /// A call of the lane has ended; the next one may start.
    func leave(_ lane: Lane) {
        let places = places(lane)
        places.taken -= 1
        while places.isCrowded, places.taken < places.capacity, let start = places.waiting.popFirst() {
            places.isCrowded = !places.waiting.isEmpty
            places.taken += 1
            if !start() { places.taken -= 1 }
        }
    }
}
