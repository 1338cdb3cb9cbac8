import BlueZSimulator
import SimulatedSerial

/// The described peripherals, with their automatic behaviour.
@SimulatorActor final class FileSimulation: SimulatedPeripheralDelegate {
    let bluez: SimulatedBlueZ
    private var descriptions: [ObjectIdentifier: SimulationFile.Peripheral] = [:]
    private var devices: [ObjectIdentifier: SimulatedSerialDevice] = [:]
    private var timers: [ObjectIdentifier: ScheduledCall] = [:]

    init(_ file: SimulationFile) async throws {
        bluez = try await SimulatedBlueZ(
            .init(adapters: file.adapterSpecifications, timing: file.instant == true ? .instant : Timing()))
        for (index, description) in (file.peripherals ?? []).enumerated() {
            let peripheral = try bluez.add(try description.specification(index))
            descriptions[ObjectIdentifier(peripheral)] = description
            peripheral.delegate = self
            if let serial = description.serial {
                let device = try serial.device(peripheral)
                device.next = self
                devices[ObjectIdentifier(peripheral)] = device
                _ = try SimulationFile.duration(serial.unsolicited?.interval ?? 1)
                _ = try SimulationFile.pieces(serial.unsolicited?.values, nil)
            }
            if description.refusesConnections == true {
                peripheral.connectionFault = .failure("le-connection-abort-by-local", after: .zero)
            }
            try setFaults(description, peripheral)
            guard let delay = description.appearsAfter else { continue }
            peripheral.isAdvertising = false
            _ = SimulatorActor.schedule(after: try SimulationFile.duration(delay)) { peripheral.isAdvertising = true }
        }
    }

    /// The described characteristics and those of the peripheral: the generic services precede the described ones.
    private func pairs(
        _ description: SimulationFile.Peripheral, _ peripheral: SimulatedPeripheral
    ) -> [(SimulationFile.Characteristic, SimulatedCharacteristic)] {
        let described = description.services ?? []
        return zip(described, peripheral.services.suffix(described.count)).flatMap { part, service in
            Array(zip(part.characteristics ?? [], service.characteristics))
        }
    }

    private func setFaults(_ description: SimulationFile.Peripheral, _ peripheral: SimulatedPeripheral) throws {
        for (part, characteristic) in pairs(description, peripheral) {
            characteristic.faults.readError = part.readError.map { ATTError(rawValue: $0) }
            characteristic.faults.writeError = part.writeError.map { ATTError(rawValue: $0) }
            characteristic.faults.delay = try SimulationFile.duration(part.delay ?? 0)
            _ = try SimulationFile.duration(part.notifications?.interval ?? 1)
            for value in part.notifications?.values ?? [] { _ = try SimulationFile.value(value, nil) }
        }
        _ = try SimulationFile.duration(description.disconnectsAfter ?? 0)
    }

    func peripheralDidConnect(_ peripheral: SimulatedPeripheral) {
        guard let delay = descriptions[ObjectIdentifier(peripheral)]?.disconnectsAfter else { return }
        timers[ObjectIdentifier(peripheral)] = SimulatorActor.schedule(after: .seconds(delay)) {
            peripheral.simulateDisconnection()
        }
    }

    func peripheralDidDisconnect(_ peripheral: SimulatedPeripheral) {
        timers.removeValue(forKey: ObjectIdentifier(peripheral))?.cancel()
    }

    func peripheral(_ peripheral: SimulatedPeripheral, didSubscribeTo characteristic: SimulatedCharacteristic) {
        guard let description = descriptions[ObjectIdentifier(peripheral)] else { return }
        if let device = devices[ObjectIdentifier(peripheral)], characteristic.uuid == device.profile.notify,
            let unsolicited = description.serial?.unsolicited
        {
            timers[ObjectIdentifier(device)]?.cancel()
            let pieces = try? SimulationFile.pieces(unsolicited.values, unsolicited.texts)
            return send(pieces ?? [], 0, unsolicited, device)
        }
        guard
            let part = pairs(description, peripheral).first(where: { $0.1 === characteristic })?.0,
            let notifications = part.notifications
        else { return }
        let values = notifications.values.compactMap { try? SimulationFile.value($0, nil) }
        let interval = Duration.seconds(notifications.interval ?? 1)
        let limit = notifications.repeat ?? true ? .max : values.count
        guard !values.isEmpty else { return }
        peripheral.notify(from: characteristic, every: interval, startingAfter: interval) { index in
            index < limit ? values[index % values.count] : nil
        }
    }

    /// Sends a serial device's unsolicited data.
    private func send(
        _ pieces: [[UInt8]], _ index: Int, _ unsolicited: SimulationFile.Serial.Unsolicited,
        _ device: SimulatedSerialDevice
    ) {
        guard !pieces.isEmpty, index < pieces.count || unsolicited.repeat ?? true else { return }
        let interval = Duration.seconds(unsolicited.interval ?? 1)
        timers[ObjectIdentifier(device)] = SimulatorActor.schedule(after: interval) { [weak self] in
            guard device.isSubscribed else { return }
            device.send(pieces[index % pieces.count])
            self?.send(pieces, index + 1, unsolicited, device)
        }
    }
}
