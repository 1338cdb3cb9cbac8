import BlueZServer

/// An adapter's radio.
@SimulatorActor final class SimulatedRadio: Radio {
    /// The signal strength of other adapters of the machine, in dBm.
    private static let adapterRSSI: Int16 = -40
    weak var host: (any RadioHost)?
    private let medium: RadioMedium
    private var isListening = false
    private var reports: [ObjectIdentifier: SimulatorActor.ScheduledCall] = [:]
    private var attempts: [SimulatedAttempt] = []
    /// The reports of what other adapters advertise.
    private var heard: [OutgoingAdvertisement: SimulatorActor.ScheduledCall] = [:]

    init(_ medium: RadioMedium) {
        self.medium = medium
    }

    let acceptsCentrals = true
    /// Whether other adapters and centrals are in range.
    var isInRange = true { didSet { acceptanceChanged() } }
    /// The adapter that has the radio.
    var adapter: Adapter? { host as? Adapter }

    func acceptanceChanged() { medium.acceptanceChanged(self) }

    /// Continues the attempts to connect to an adapter, which accepts connections now.
    func found(_ adapter: Adapter) {
        for attempt in attempts where attempt.address == adapter.identity.address { attempt.advance() }
    }

    func startListening() {
        isListening = true
        for peripheral in medium.peripherals { listen(to: peripheral) }
        broadcastsChanged()
    }

    func stopListening() {
        isListening = false
        reports.values.forEach { $0.cancel() }
        reports.removeAll()
        broadcastsChanged()
    }

    func advertise(_ advertisements: [OutgoingAdvertisement]) {
        medium.broadcast(advertisements, from: ObjectIdentifier(self))
    }

    /// Starts and ends the reports of what other adapters advertise.
    func broadcastsChanged() {
        let others = medium.broadcasts.filter { $0.key != ObjectIdentifier(self) }
        let audible = isListening ? Set(others.values.joined()) : []
        for (advertisement, report) in heard where !audible.contains(advertisement) {
            report.cancel()
            heard[advertisement] = nil
        }
        for advertisement in audible where heard[advertisement] == nil { report(advertisement, after: .zero) }
    }

    private func report(_ advertisement: OutgoingAdvertisement, after delay: Duration) {
        heard[advertisement] = SimulatorActor.schedule(after: delay) { [weak self] in
            guard let self, self.heard[advertisement] != nil else { return }
            self.report(advertisement, after: advertisement.interval)
            self.host?.heard(advertisement.report(rssi: Self.adapterRSSI))
        }
    }

    func connect(
        _ host: any LinkHost, completion: @escaping @SimulatorActor (ConnectionResult) -> Void
    ) -> any RadioOperation {
        let attempt = SimulatedAttempt(host, adapter, medium, completion: completion) { [weak self] attempt in
            self?.attempts.removeAll { $0 === attempt }
        }
        attempts.append(attempt)
        attempt.start()
        return attempt
    }

    /// Starts or ends the reports of a peripheral.
    func advertisingChanged(_ peripheral: SimulatedPeripheral) {
        for attempt in attempts where attempt.address == peripheral.address { attempt.advance() }
        listen(to: peripheral)
    }

    private func listen(to peripheral: SimulatedPeripheral) {
        reports.removeValue(forKey: ObjectIdentifier(peripheral))?.cancel()
        guard isListening, peripheral.isAdvertising, !peripheral.isConnected else { return }
        report(peripheral, after: .zero)
    }

    private func report(_ peripheral: SimulatedPeripheral, after delay: Duration) {
        reports[ObjectIdentifier(peripheral)] = SimulatorActor.schedule(after: delay) {
            [weak self, weak peripheral] in
            if let self, let peripheral { self.report(peripheral) }
        }
    }

    private func report(_ peripheral: SimulatedPeripheral) {
        guard isListening, peripheral.isAdvertising, !peripheral.isConnected else { return }
        host?.heard(medium.report(of: peripheral))
        report(peripheral, after: max(peripheral.advertisingInterval, .milliseconds(1)))
    }
}

extension SimulatedPeripheral {
    var identity: DeviceIdentity {
        DeviceIdentity(
            address: address, addressType: specification.addressType,
            deviceClass: specification.classic?.deviceClass)
    }
}
