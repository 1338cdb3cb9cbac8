import BlueZRecording
import BlueZServer
import BlueZValues

/// Orders the events of a recording, one after another.
struct PlanBuilder {
    /// A request without a response so far.
    enum Pending {
        case attempt(BluetoothAddress, Int)
        /// A request on a link, by the numbers of both.
        case request(BluetoothAddress, link: Int, Int)
        case services(BluetoothAddress, link: Int)
        case discovery(Int)
        /// A request for the values of several attributes.
        case values(BluetoothAddress)
    }

    let origin: RecordingHeader.Origin
    var plan = ReplayPlan(notes: [])
    var devices: [BluetoothAddress: DevicePlan] = [:]
    /// The links that are up, by their numbers.
    var links: [BluetoothAddress: Int] = [:]
    var pending: [Int64: Pending] = [:]
    /// The calls of Pair on devices without a link.
    var pairings: [BluetoothAddress: Int64] = [:]
    /// The clients that have subscribed, by the handles of values.
    var subscribers: [BluetoothAddress: [UInt16: Set<String>]] = [:]
    /// How many values came while several clients had subscribed: bluetoothd signals each value once per client.
    var repeats: [BluetoothAddress: [UInt16: Int]] = [:]
    /// The calls of Pair without a response, as requests on the links.
    var openPairings: [BluetoothAddress: Int] = [:]
    /// The power that a client has asked for.
    var requestedPower: Bool?
    /// The steps that a change of the adapter replaces: losses of a moment ago.
    var losses: [(device: BluetoothAddress, link: Int, time: Int64)] = []
    /// The last change of the adapter, as a step of this link.
    var lastAdapterChange: (device: BluetoothAddress, link: Int, time: Int64)?
    var discoveryBegan: Int64?
    /// The reports without a discovery.
    var otherReports: [ReportPlan] = []
    var now: Int64 = 0

    init(origin: RecordingHeader.Origin) {
        self.origin = origin
    }

    /// Adds the next event.
    mutating func add(_ event: RecordedEvent) {
        now = event.time
        switch event.content {
        case .adapter(let adapter): add(adapter)
        case .heard(let advertisement): add(advertisement)
        case .device(let device): add(device)
        case .request(let request) where !request.isServedHere: add(request)
        case .response(let response): add(response)
        case .connected(let connection): begin(connection)
        case .disconnected(let end): self.end(end)
        case .database(let database) where !database.isServedHere: add(database)
        case .value(let value) where !value.isServedHere: add(value)
        case .mtu(let mtu): change(mtu.device) { $0.mtu = mtu.mtu }
        case .pairing(let pairing): add(pairing)
        case .note(let note) where note.kind == "bluetoothd": daemonLeft()
        case .note(let note) where note.kind == Replay.markKind: addMark()
        case .request, .database, .value, .note, .other: break
        }
    }

    /// Returns the plan, after the last event.
    mutating func finish(_ notes: [RecordedNote]) -> ReplayPlan {
        for address in links.keys { close(address) }
        if origin == .capture {
            completeServices()
            addReportsOfLinks()
        }
        if plan.discoveries.allSatisfy(\.isEmpty) { plan.discoveries = [otherReports] }
        let reported = Set(plan.discoveries.joined().map(\.report.identity.address))
        for address in devices.keys {
            modify(address) { device in
                device.isKnown = device.isKnown || !reported.contains(device.identity.address)
                device.attempts.removeAll(where: \.isRefused)
            }
        }
        var result = ReplayPlan(notes: notes)
        result.adapters = plan.adapters
        result.hasLinkEnds = plan.hasLinkEnds
        result.devices = devices
        result.discoveries = plan.discoveries
        return result
    }

    /// Lets links on which a part of the services was discovered have those of another link.
    private mutating func completeServices() {
        for address in devices.keys {
            modify(address) { device in
                guard let discovery = device.completeDiscovery else { return }
                for number in device.links.indices { device.links[number].complete(with: discovery) }
            }
        }
    }

    /// Returns the plan of a device, new if it is the device's first event.
    func device(_ address: BluetoothAddress) -> DevicePlan {
        if let device = devices[address] { return device }
        var device = DevicePlan(address)
        device.isKnown = plan.discoveries.isEmpty
        return device
    }

    /// Changes the plan of a device.
    mutating func modify<Result>(_ address: BluetoothAddress, _ body: (inout DevicePlan) -> Result) -> Result {
        // The plan is taken out, so that its links are not copied.
        var device = devices.removeValue(forKey: address) ?? device(address)
        defer { devices[address] = device }
        return body(&device)
    }

    /// Changes the link that a device has.
    mutating func change(_ address: BluetoothAddress?, _ body: (inout LinkPlan) -> Void) {
        guard let address, let number = links[address] else { return }
        modify(address) { body(&$0.links[number]) }
    }
}
