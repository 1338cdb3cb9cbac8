import BlueZDBus
import BlueZServer
import BlueZValues

/// A link whose events and responses are those of a recorded one.
@BlueZServerActor final class ReplayLink {
    /// How many events come one after another before others have a turn.
    private static let batch = 32
    private static let pause: Duration = .milliseconds(10)
    /// How long an event waits for a request after the client has made a later one, which may have overtaken it.
    private static let grace: Duration = .seconds(1)

    let plan: LinkPlan
    let device: DevicePlan
    private(set) weak var host: (any LinkHost)?
    let replay: Replay
    private(set) var isOpen = true
    private var position = 0
    private var timer: BlueZServerActor.ScheduledCall? { didSet { oldValue?.cancel() } }
    private var discovery: (@BlueZServerActor (Discovery?) -> Void)?
    private var services: Discovery?

    /// The time at which the event at `anchor.time` came. Later events follow in the recorded time.
    private var anchor: (instant: MonotonicInstant, time: Int64)
    /// The same, if reads count. A loss follows it.
    private var lastAnchor: (instant: MonotonicInstant, time: Int64)
    /// The time since which the event at `position` waits for its request.
    private var waiting: MonotonicInstant?
    /// The last request that was made, in the recording's order, and when.
    private var newest: (position: Int, instant: MonotonicInstant)?
    /// Whether the client does something else than the recorded one.
    private var isAstray = false
    /// Whether the host has the link, so that requests are the client's.
    private(set) var hasBegun = false
    /// The subscriptions that bluetoothd renewed by itself. They say nothing of what the client has done.
    var renewals: Set<Int> = []

    var made: Set<Int> = []
    /// The requests that have not been made yet, by what they ask for, the next one last.
    var requests: [RequestPlan.Key: [Int]] = [:]
    var subscriptions: Set<UInt16> = []
    /// The last known values.
    var values: [UInt16: [UInt8]] = [:]
    /// Calls that wait for their time, or for the end of the link.
    var pending: [ObjectIdentifier: ReplayRequest] = [:]

    init(_ device: DevicePlan, _ number: Int, _ host: any LinkHost, _ replay: Replay) {
        plan = device.links[number]
        self.device = device
        self.host = host
        self.replay = replay
        anchor = (.now, plan.began)
        lastAnchor = anchor
        for (index, request) in plan.requests.enumerated().reversed() {
            if request.isRefused { made.insert(index) } else { requests[request.key, default: []].append(index) }
        }
    }

    /// Begins to play the events. Called when the host has the link.
    func begin() {
        guard isOpen else { return }
        hasBegun = true
        replay.opened(self)
        anchor = (.now, plan.began)
        lastAnchor = anchor
        advance()
    }

    // MARK: Events

    /// A request of the recording was made, and has its response.
    func mark(_ index: Int) {
        made.insert(index)
        if !renewals.contains(index) { follow(index) }
        timer = BlueZServerActor.schedule(after: .zero) { [weak self] in self?.advance() }
    }

    /// Lets later events come as long after this request as in the recording.
    private func follow(_ index: Int) {
        isAstray = false
        let request = plan.requests[index]
        // Without a response, the end is that of the link, which has not come yet.
        let time = request.result == nil ? request.time : request.end ?? request.time
        if time > lastAnchor.time { lastAnchor = (.now, time) }
        // Values do not depend on reads.
        guard request.key.kind != .read else { return }
        if time > anchor.time { anchor = (.now, time) }
        if let step = plan.position(of: index), step > newest?.position ?? -1 { newest = (step, .now) }
    }

    private func advance() {
        var count = 0
        while isOpen, position < plan.steps.count {
            let step = plan.steps[position]
            if let delay = delay(of: step) { return wait(delay) }
            waiting = nil
            position += 1
            perform(step)
            count += 1
            if count >= Self.batch { return wait(Self.pause) }
        }
    }

    /// Plays the values that came after the client had asked to end the link.
    func playLast() {
        guard let asked = plan.ending?.asked else { return }
        for step in plan.steps[position...] {
            guard isOpen, step.time >= asked, case .value = step.action else { return }
            position += 1
            perform(step)
        }
    }

    private func wait(_ delay: Duration) {
        timer = BlueZServerActor.schedule(after: delay) { [weak self] in self?.advance() }
    }

    /// Returns how long an event must wait. Nil if it comes now.
    private func delay(of step: LinkPlan.Step) -> Duration? {
        switch step.action {
        case .request(let index):
            // Only a loss waits for reads.
            guard plan.requests[index].key.kind != .read else { return nil }
            return patience(for: [index], at: position)
        case .loss, .adapter:
            let reads = plan.requests.indices.filter { plan.requests[$0].key.kind == .read }
            if let delay = patience(for: reads, at: position) { return delay }
            if lastAnchor.time > anchor.time { anchor = lastAnchor }
        case .value(let handle, _):
            // A client that reads slowly gets everything nevertheless.
            if subscriptions.contains(handle), host?.isReady(for: declaration(handle)) == false { return Self.pause }
        case .services, .change: break
        }
        if newest?.position ?? -1 > position { return nil }
        var pause = replay.duration(step.time - anchor.time)
        // Nothing else gives a client the time to do what it did when the link was lost.
        if case .loss = step.action { pause = max(pause, min(.microseconds(step.time - anchor.time), Self.grace)) }
        let due = anchor.instant.advanced(by: pause)
        let now = MonotonicInstant.now
        return now < due ? due - now : nil
    }

    /// Returns how long to wait for requests that have not been made. Nil if there are none, or the client does
    /// something else.
    private func patience(for indices: [Int], at position: Int) -> Duration? {
        guard !made.isSuperset(of: indices) else { return nil }
        let now = MonotonicInstant.now
        let start = waiting ?? now
        waiting = start
        var end = isAstray ? start : start.advanced(by: replay.options.patience)
        if let newest, newest.position > position { end = min(end, newest.instant.advanced(by: Self.grace)) }
        if now < end { return end - now }
        isAstray = true
        return nil
    }

    private func perform(_ step: LinkPlan.Step) {
        switch step.action {
        case .request: break
        case .value(let handle, let value):
            guard subscriptions.contains(handle) else { break }
            values[handle] = value
            host?.received(value, from: declaration(handle))
        case .services(let discovery): resolve(discovery)
        case .change(let change): host?.changed(change)
        case .loss(let end): host?.linkLost(end)
        case .adapter(_, let change): changeAdapter(change)
        }
    }

    private func resolve(_ discovery: Discovery) {
        services = discovery
        if let completion = self.discovery {
            self.discovery = nil
            completion(discovery)
        } else {
            host?.servicesChanged(discovery)
        }
    }

    /// Changes the adapter, and continues with its next changes, which come without a link.
    private func changeAdapter(_ change: AdapterChange) {
        var delay = Duration.zero
        for step in plan.steps[position...] {
            guard case .adapter(let interval, let next) = step.action else { continue }
            delay += replay.duration(interval)
            BlueZServerActor.schedule(after: delay) { [replay] in replay.apply(next) }
        }
        position = plan.steps.count
        replay.apply(change)
    }

    // MARK: The link

    func discover(_ completion: @escaping @BlueZServerActor (Discovery?) -> Void) {
        if let services { completion(services) } else { discovery = completion }
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        replay.closed(self)
        timer = nil
        discovery = nil
        let waiting = pending.values
        pending.removeAll()
        // As at bluetoothd, requests end with the link (src/shared/att.c: disc_att_send_op).
        for request in waiting { request.finish(.failure(.attribute(0x0E))) }
        guard let address = BluetoothAddress(device.identity.address) else { return }
        replay.expectIncoming(address, after: plan.steps.last?.time ?? plan.began)
    }

    // MARK: Handles

    /// The handle of a characteristic's declaration, by that of its value.
    private func declaration(_ handle: UInt16) -> UInt16 { device.declarations[handle] ?? handle &- 1 }

    /// The handle of a characteristic's value, by that of its declaration; or of a descriptor.
    func valueHandle(_ handle: UInt16) -> UInt16 { device.valueHandles[handle] ?? handle }
}
