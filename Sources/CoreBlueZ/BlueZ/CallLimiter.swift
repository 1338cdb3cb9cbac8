import DBus
import DequeModule

/// Keeps the calls in flight below the bus's limit: the system bus lets a connection wait for 128 replies and refuses
/// the next call (dbus-daemon: max_replies_per_connection). Calls that find no slot wait for one.
///
/// Each kind of call has a limiter, so that slow ones do not hold up others: connecting may take most of a minute, and
/// calls that give something back must always get through.
@BluetoothActor final class CallLimiter {
    enum Kind: CaseIterable {
        /// Reading, writing, subscribing.
        case attribute
        /// Connecting and pairing.
        case link
        /// All else: disconnecting, unsubscribing, scanning, asking bluetoothd for what it knows.
        case control

        /// How many of the calls may be in flight. Eight of the 128 slots are unassigned: a call that bluetoothd never
        /// answers keeps its slot on the bus after this program has stopped waiting for it.
        var capacity: Int {
            switch self {
            case .attribute: 64
            case .link: 28
            case .control: 28
            }
        }
    }

    private let capacity: Int
    private let channels: ValueChannels
    /// What sends the calls. A call whose reply is outstanding keeps the limiter, but not the client.
    weak var client: BlueZClient?
    private var taken = 0
    private var waiting: Deque<Call> = []
    /// Whether any wait; beside them, because it is asked for at each call.
    private var hasWaiting = false

    init(_ kind: Kind, _ channels: ValueChannels) {
        capacity = kind.capacity
        self.channels = channels
    }

    /// Performs a call, now or when there is a slot for it. All calls about Bluetooth pass through here.
    ///
    /// - Parameter isNext: whether it has waited for a slot.
    /// - Returns: false if it waits for a slot.
    @discardableResult
    func perform(_ call: Call, isNext: Bool = false) -> Bool {
        if let operation = call.operation, !operation.isPending { return true }
        guard taken < capacity, isNext || !hasWaiting else {
            waiting.append(call)
            hasWaiting = true
            return false
        }
        taken += 1
        let now = MonotonicInstant.now
        call.operation?.startClock(now)
        if call.request == .read { channels.readBegins(call.path) }
        let receive: CallReply = { [self] result in
            if call.request == .read { channels.readEnds(call.path, isSuccess: result.isSuccess) }
            if case .failure(let error) = result, call.attempt < attempts(of: call, after: error) {
                var next = call
                next.attempt += 1
                _ = BluetoothActor.after(.milliseconds(10 << min(call.attempt, 6))) { [next] in self.perform(next) }
            } else {
                call.reply(result)
            }
            taken -= 1
            if hasWaiting { performWaiting() }
        }
        do throws(DBusError) {
            let message = try call.build(call.path)
            guard let connection = client?.connection else { throw .disconnected() }
            connection.call(message, limit: call.limit, from: now, reply: receive)
        } catch {
            BluetoothActor.later { receive(.failure(error)) }
        }
        return true
    }

    private func performWaiting() {
        while taken < capacity, let call = waiting.popFirst() {
            hasWaiting = !waiting.isEmpty
            perform(call, isNext: true)
        }
    }

    /// The requests of this process to an attribute wait for one another. So it is another program's request that is in
    /// progress, or a socket of this process that bluetoothd has not seen closed yet.
    private func attempts(of call: Call, after error: DBusError) -> Int {
        guard [.read, .write, .notify].contains(call.request) else { return 0 }
        let hadSocket = client?.releasedSockets.contains(call.path) == true
        return switch (error.name, error.message) {
        case ("org.bluez.Error.InProgress", _): 12
        case ("org.bluez.Error.NotPermitted", "Notify acquired") where hadSocket: 6
        case ("org.bluez.Error.NotPermitted", "Write acquired") where hadSocket: 6
        default: 0
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
