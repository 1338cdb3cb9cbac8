import BlueZServer

/// An adapter's radio in a replay.
@BlueZServerActor final class ReplayRadio: Radio {
    /// How often devices are reported after the recorded reports.
    private static let interval: Duration = .seconds(1)
    /// How long a scan hears nothing, in microseconds; about an advertising interval. bleak listens only after the
    /// response to StartDiscovery, and bluetoothd signals no report that repeats the one before.
    private static let silence: Int64 = 100_000
    /// How long the kernel tries to connect (net/bluetooth/hci_core.h: HCI_LE_CONN_TIMEOUT).
    private static let timeout: Duration = .seconds(20)
    weak var host: (any RadioHost)?
    private let replay: Replay
    private var discovery = 0
    private var timer: BlueZServerActor.ScheduledCall? { didSet { oldValue?.cancel() } }

    init(_ replay: Replay) {
        self.replay = replay
    }

    /// Plays the reports of the next discovery; after the last one, that again.
    func startListening() {
        let discoveries = replay.plan.discoveries
        guard !discoveries.isEmpty else { return }
        let reports = discoveries[min(discovery, discoveries.count - 1)]
        discovery += 1
        timer = BlueZServerActor.schedule(after: .microseconds(Self.silence)) { [weak self] in
            self?.report(reports, 0, at: Self.silence)
        }
    }

    func stopListening() { timer = nil }

    private func report(_ reports: [ReportPlan], _ index: Int, at time: Int64) {
        guard index < reports.count else { return repeatReports(reports) }
        timer = BlueZServerActor.schedule(after: replay.duration(reports[index].time - time)) { [weak self] in
            guard let self else { return }
            self.host?.heard(reports[index].report)
            self.report(reports, index + 1, at: max(time, reports[index].time))
        }
    }

    /// A client that looks for longer than the recorded one hears the devices of the discovery again.
    private func repeatReports(_ reports: [ReportPlan]) {
        var last: [String: AdvertisingReport] = [:]
        for report in reports { last[report.report.identity.address] = report.report }
        hear(last.values.sorted { $0.identity.address < $1.identity.address })
    }

    private func hear(_ reports: [AdvertisingReport]) {
        guard !reports.isEmpty else { return }
        timer = BlueZServerActor.schedule(after: Self.interval) { [weak self] in
            for report in reports { self?.host?.heard(report) }
            self?.hear(reports)
        }
    }

    func connect(
        _ host: any LinkHost, completion: @escaping @BlueZServerActor (ConnectionResult) -> Void
    ) -> any RadioOperation {
        guard let attempt = replay.nextAttempt(host.identity), let device = replay.device(host.identity) else {
            replay.tell(host.identity.address, "No link with the device is recorded; Connect fails")
            return fail(after: .zero, completion)
        }
        // An attempt that the recorded client did not wait for ends as one to a device that is not there.
        if case .pending = attempt.outcome { return fail(after: Self.timeout, completion) }
        return BlueZServerActor.schedule(after: replay.duration(attempt.latency)) { [replay] in
            switch attempt.outcome {
            case .link(let number):
                let link = ReplayLink(device, number, host, replay)
                completion(.connected(link, fault: .none))
                link.begin()
            case .loss(let number, let failure):
                completion(.lost(ReplayLink(device, number, host, replay), failure.error))
            case .failure(let failure): completion(.failed(failure.error))
            case .pending: break
            }
        }
    }

    private func fail(
        after delay: Duration, _ completion: @escaping @BlueZServerActor (ConnectionResult) -> Void
    ) -> any RadioOperation {
        BlueZServerActor.schedule(after: delay) {
            completion(.failed(BlueZError.failed("le-connection-abort-by-local")))
        }
    }
}
