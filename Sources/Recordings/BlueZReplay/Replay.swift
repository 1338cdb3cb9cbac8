import BlueZDBus
import BlueZServer
import BlueZValues

/// The behaviour of a recording's devices, for the radios and links of `ReplayedBlueZ`.
@BlueZServerActor package final class Replay {
    /// The settings of a replay.
    package struct Options: Sendable {
        /// Whether nothing waits for the recorded time.
        package var isFast = false
        /// How long an event waits for a request that the client does not make, after everything before it.
        package var patience: Duration = .seconds(10)

        /// Creates the settings: with the recorded times.
        package init() {}
    }

    let plan: ReplayPlan
    let options: Options
    private var positions: [BluetoothAddress: Int] = [:]
    private var incomingPositions: [BluetoothAddress: Int] = [:]
    private var reported: Set<String> = []
    private let report: @BlueZServerActor (String) -> Void
    private weak var daemon: Daemon?
    private var openLinks: [ObjectIdentifier: WeakLink] = [:]
    private let restart: @BlueZServerActor () -> Void

    /// The most different reports.
    private static let mostReports = 1_000

    /// Creates a replay.
    ///
    /// - Parameters:
    ///   - report: gets a sentence, without a full stop, about each kind of request that the recording does not have.
    ///   - restart: starts the daemon again, on its bus.
    package init(
        _ plan: ReplayPlan, _ options: Options = Options(),
        report: @escaping @BlueZServerActor (String) -> Void = { _ in },
        restart: @escaping @BlueZServerActor () -> Void = {}
    ) {
        self.plan = plan
        self.options = options
        self.report = report
        self.restart = restart
    }

    /// Adds the recorded adapters to a daemon that is not running yet.
    package func addAdapters(to daemon: Daemon) throws(DBusError) {
        self.daemon = daemon
        let recorded = plan.adapters.prefix(16)
        for adapter in recorded {
            try addAdapter(
                to: daemon, address: adapter.address?.description, isPowered: adapter.powered ?? true,
                number: UInt8(adapter.adapter.dropFirst(3)))
        }
        if recorded.isEmpty { try addAdapter(to: daemon, address: nil, isPowered: true, number: nil) }
    }

    private func addAdapter(
        to daemon: Daemon, address: String?, isPowered: Bool, number: UInt8?
    ) throws(DBusError) {
        let description = AdapterDescription(
            address: address ?? "00:00:00:00:00:00", name: "replay", isPowered: isPowered)
        _ = try daemon.addAdapter(description, radio: ReplayRadio(self), number: number)
    }

    /// Adds the devices that bluetoothd knew when the recording began, and begins. The daemon must be running.
    package func start() {
        guard let adapter = daemon?.adapters.first else { return }
        for (_, device) in plan.devices.sorted(by: { $0.key < $1.key }) where device.isKnown {
            adapter.restore(device.identity, device.state)
        }
        for address in plan.devices.keys { expectIncoming(address, after: 0) }
    }

    // MARK: Links

    /// Returns what is recorded about a device.
    func device(_ identity: DeviceIdentity) -> DevicePlan? {
        BluetoothAddress(identity.address).flatMap { plan.devices[$0] }
    }

    /// Takes the next attempt to connect to a device. After the last one, it is that again.
    func nextAttempt(_ identity: DeviceIdentity) -> DevicePlan.Attempt? {
        guard let address = BluetoothAddress(identity.address), let attempts = plan.devices[address]?.attempts,
            !attempts.isEmpty
        else { return nil }
        let position = positions[address, default: 0]
        positions[address] = position + 1
        if position >= attempts.count {
            tell(identity.address, "There are more links than recorded; they are the last one again")
        }
        return attempts[min(position, attempts.count - 1)]
    }

    /// Makes the next link that no client asked for, if it is the next of all links of the device.
    ///
    /// - Parameter time: the recorded time of the event after which it comes.
    func expectIncoming(_ address: BluetoothAddress, after time: Int64) {
        guard let device = plan.devices[address] else { return }
        let position = incomingPositions[address, default: 0]
        guard position < device.incoming.count else { return }
        let number = device.incoming[position]
        let link = device.links[number]
        let made = device.attempts.prefix(positions[address, default: 0])
        guard device.attempts.dropFirst(made.count).first.map({ $0.time > link.began }) ?? true else { return }
        incomingPositions[address] = position + 1
        BlueZServerActor.schedule(after: duration(link.began - time)) { [weak self] in
            self?.accept(device, number)
        }
    }

    private func accept(_ device: DevicePlan, _ number: Int) {
        guard let adapter = daemon?.adapters.first, let host = adapter.incomingDevice(device.identity) else { return }
        let link = ReplayLink(device, number, host, self)
        host.accept(link)
        link.begin()
    }

    /// The kind of a note at which what follows on all links waits for `mark()`: for tests that do something to the
    /// recorded device by other means than Bluetooth.
    package nonisolated static let markKind = "mark"

    /// Passes the next mark of each link.
    package func mark() {
        for link in openLinks.values { link.link?.passMark() }
    }

    func opened(_ link: ReplayLink) { openLinks[ObjectIdentifier(link)] = WeakLink(link: link) }

    func closed(_ link: ReplayLink) { openLinks[ObjectIdentifier(link)] = nil }

    // MARK: Adapters

    /// Changes all adapters, as in the recording.
    func apply(_ change: AdapterChange) {
        guard let daemon else { return }
        switch change {
        case .power(let isOn): for adapter in daemon.adapters { adapter.powerChanged(isOn) }
        case .unplugged: for adapter in daemon.adapters { adapter.unplug() }
        case .plugged:
            for adapter in daemon.adapters { adapter.replug() }
            if !daemon.isRunning { restart() }
        case .stopped: daemon.stop()
        }
    }

    // MARK: Times and reports

    /// A recorded time, as long as this replay takes for it.
    func duration(_ microseconds: Int64) -> Duration {
        options.isFast ? .zero : .microseconds(max(0, microseconds))
    }

    /// Reports a request that the recording does not have, once.
    func tell(_ address: String, _ text: String) {
        let sentence = "\(address): \(text)"
        guard reported.count < Self.mostReports, reported.insert(sentence).inserted else { return }
        report(sentence)
    }
}

/// A link, which its device retains.
private struct WeakLink {
    weak var link: ReplayLink?
}
