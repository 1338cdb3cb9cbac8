import DBus

extension CentralManager {
    /// Begins or resumes a scan that only listens.
    func beginPassively(
        _ scan: Scan,
        _ operation: Operation<Void>,
        _ patterns: [AdvertisementPattern],
        on adapter: ObjectPath
    ) {
        let monitor = PassiveMonitor(
            patterns, on: adapter, client,
            found: { [weak self, weak scan] path in
                guard let self, let scan, let device = self.client.mirror.devices[path] else { return }
                self.report(path, device, to: scan)
            },
            lost: { [weak scan] path in scan?.reported[path] = nil },
            failed: { [weak self, weak scan, weak operation] error in
                if let scan { self?.interrupt(scan, operation, error) }
            }
        )
        scan.monitor = monitor
        monitor.start()
    }
}
