import BlueZServer

/// The peripherals around the adapters, and the durations of radio operations.
@SimulatorActor final class RadioMedium {
    var timing: Timing
    private(set) var peripherals: [SimulatedPeripheral] = []
    /// The adapters' advertisements, by radio.
    private(set) var broadcasts: [ObjectIdentifier: [OutgoingAdvertisement]] = [:]
    private var members: [Weak<SimulatedRadio>] = []
    private var centrals: [Weak<SimulatedCentral>] = []
    /// The centrals that wait for an adapter.
    private var waiting: [AdapterWait] = []

    private let version: BlueZVersion

    init(timing: Timing, version: BlueZVersion) {
        self.timing = timing
        self.version = version
    }

    /// The report that the kernel passes to bluetoothd when a peripheral advertises.
    func report(of peripheral: SimulatedPeripheral) -> AdvertisingReport {
        let advertisement = peripheral.advertisement
        let isExtended = peripheral.specification.usesExtendedAdvertising
        var report = AdvertisingReport(
            identity: peripheral.identity, rssi: peripheral.rssi,
            data: isExtended ? advertisement.kept(by: version) : advertisement)
        report.isConnectable = peripheral.isConnectable
        return report
    }

    /// Adds an adapter's radio, which its adapter retains.
    func add(_ radio: SimulatedRadio) { members.append(Weak(object: radio)) }

    private var radios: [SimulatedRadio] { members.compactMap(\.object) }

    func add(_ peripheral: SimulatedPeripheral) {
        peripheral.medium = self
        peripherals.append(peripheral)
        peripheral.startAdvertisements()
        advertisingChanged(peripheral)
    }

    func remove(_ peripheral: SimulatedPeripheral) {
        peripheral.isAdvertising = false
        peripheral.link?.drop(.timeout)
        peripherals.removeAll { $0 === peripheral }
        peripheral.medium = nil
        peripheral.startAdvertisements()
    }

    func peripheral(_ address: String) -> SimulatedPeripheral? {
        peripherals.first { $0.address == address }
    }

    /// Replaces what an adapter's radio advertises.
    func broadcast(_ advertisements: [OutgoingAdvertisement], from radio: ObjectIdentifier) {
        broadcasts[radio] = advertisements.isEmpty ? nil : advertisements
        for other in radios { other.broadcastsChanged() }
        centrals.removeAll { $0.object == nil }
        for entry in centrals { entry.object?.hear(advertisements.map(SimulatedAdvertisement.init)) }
    }

    /// Handles a peripheral that starts or stops advertising.
    func advertisingChanged(_ peripheral: SimulatedPeripheral) {
        for radio in radios { radio.advertisingChanged(peripheral) }
    }

    /// Lets a central hear what the adapters advertise.
    func add(_ central: SimulatedCentral) {
        centrals.append(Weak(object: central))
        central.hear(audible)
    }

    /// The advertisements that a central receives now.
    var audible: [SimulatedAdvertisement] {
        radios.filter(\.isInRange).flatMap { broadcasts[ObjectIdentifier($0)] ?? [] }.map(SimulatedAdvertisement.init)
    }

    /// Returns an adapter that accepts connections.
    func adapter(_ address: String?) -> Adapter? {
        radios.lazy.filter(\.isInRange).compactMap(\.adapter).first { adapter in
            adapter.acceptsConnections && (address == nil || adapter.identity.address == address?.uppercased())
        }
    }

    /// Whether other adapters are in range of an adapter.
    func isInRange(_ adapter: Adapter?) -> Bool {
        radios.contains { $0.isInRange && $0.adapter === adapter }
    }

    /// Waits until an adapter accepts connections. Returns nil if none does in time.
    func adapter(_ address: String?, within timeout: Duration) async -> Adapter? {
        await withCheckedContinuation { continuation in
            if let adapter = adapter(address) { return continuation.resume(returning: adapter) }
            let wait = AdapterWait(address) { continuation.resume(returning: $0) }
            waiting.append(wait)
            wait.timer = SimulatorActor.schedule(after: timeout) { [weak self, weak wait] in
                guard let self, let wait else { return }
                self.waiting.removeAll { $0 === wait }
                wait.finish(nil)
            }
        }
    }

    /// Handles an adapter that accepts connections now, or no longer.
    func acceptanceChanged(_ radio: SimulatedRadio) {
        guard radio.isInRange, let adapter = radio.adapter, adapter.acceptsConnections else { return }
        for other in radios where other !== radio { other.found(adapter) }
        let address = adapter.identity.address
        let served = waiting.filter { $0.address == nil || $0.address == address }
        waiting.removeAll { wait in served.contains { $0 === wait } }
        for wait in served { wait.finish(adapter) }
    }
}

/// A radio or a central, which its owner retains, and which retains the medium.
private struct Weak<Object: AnyObject> {
    weak var object: Object?
}

/// A central that waits for an adapter.
@SimulatorActor private final class AdapterWait {
    let address: String?
    var timer: SimulatorActor.ScheduledCall?
    private let completion: @SimulatorActor (Adapter?) -> Void

    init(_ address: String?, completion: @escaping @SimulatorActor (Adapter?) -> Void) {
        self.address = address?.uppercased()
        self.completion = completion
    }

    func finish(_ adapter: Adapter?) {
        timer?.cancel()
        completion(adapter)
    }
}
