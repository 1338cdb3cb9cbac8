import BlueZDBus
import CoreBlueZ
import GatewayProtocol

extension Gateway {
    /// Scans while the gateway runs and the adapter is on.
    func startScanning() {
        central.scanForPeripherals(options: ScanOptions(allowDuplicates: true, resumes: true)) {
            [weak self] peripheral, advertisement, rssi in
            self?.hear(peripheral, advertisement, rssi)
        } completion: { [weak self] error in
            guard let self, let error, !self.isEnding else { return }
            log.warning("Scanning has ended; trying again: \(error)")
            _ = BluetoothActor.after(.seconds(1)) { [weak self] in
                if let self, !self.isEnding { self.startScanning() }
            }
        }
    }

    private func hear(_ peripheral: Peripheral, _ advertisement: AdvertisementData, _ rssi: Int?) {
        guard isOnline, let device = peripheral.address, allows(device) else { return }
        var data = advertisement
        data.localName = data.localName?.prefix(bytes: GatewayLimits.name)
        policy.hear(
            GatewayAdvertisement(
                instance: instance, device: device, kind: peripheral.addressKind ?? .public,
                rssi: rssi.map { min(max($0, -127), 20) },
                data: data),
            at: .now)
        publishSoon()
    }

    /// Publishes what is due now, and the rest when it is due.
    func publishSoon() {
        let now = BootInstant.now
        guard !isEnding, isConnected, isOnline else { return }
        if let publication, publication.time <= now.advanced(by: AdvertisementPolicy.pause) { return }
        publishDue(at: now)
        guard let next = policy.next(at: now) else { return }
        if let publication, publication.time <= next { return }
        publication?.call.cancel()
        let call = BluetoothActor.after(next - now) { [weak self] in
            self?.publication = nil
            self?.publishSoon()
        }
        publication = (next, call)
    }

    private func publishDue(at now: BootInstant) {
        for advertisement in policy.take(at: now) {
            guard let payload = try? advertisement.payload() else { continue }
            broker.publish(
                BrokerMessage(topic: topics.advertisement(name, advertisement.device), payload: payload))
        }
    }
}
