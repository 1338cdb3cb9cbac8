import BlueZDBus
import BlueZSimulatedSerial
import BlueZSimulator

/// The described peripherals' own behaviour.
@SimulatorActor final class FileBehaviour: SimulatedPeripheralDelegate {
    private var descriptions: [ObjectIdentifier: SimulationFile.Peripheral] = [:]
    private var devices: [ObjectIdentifier: SimulatedSerialDevice] = [:]
    private var timers: [ObjectIdentifier: SimulatorActor.ScheduledCall] = [:]

    /// Gives a peripheral the behaviour of its description.
    func add(_ description: SimulationFile.Peripheral, _ peripheral: SimulatedPeripheral) {
        descriptions[ObjectIdentifier(peripheral)] = description
        peripheral.delegate = self
        if let serial = description.serial {
            let device = serial.device(peripheral)
            device.next = self
            devices[ObjectIdentifier(peripheral)] = device
        }
        if description.refusesConnections {
            peripheral.connectionFault = .failure("le-connection-abort-by-local", after: .zero)
        }
    }

    /// Moves a peripheral into range and out of range, as its description says.
    func move(_ peripheral: SimulatedPeripheral) {
        let description = descriptions[ObjectIdentifier(peripheral)]
        guard let delay = description?.appearsAfter else { return appear(peripheral, description?.presence) }
        peripheral.isAdvertising = false
        SimulatorActor.schedule(after: delay) { [weak self] in self?.appear(peripheral, description?.presence) }
    }

    /// Moves the peripheral into range, and out of range again if it has a `presence`.
    private func appear(_ peripheral: SimulatedPeripheral, _ presence: SimulationFile.Presence?) {
        peripheral.simulateReturn()
        guard let presence else { return }
        SimulatorActor.schedule(after: presence.stay) { [weak self] in
            peripheral.simulateRangeLoss()
            SimulatorActor.schedule(after: presence.away) { [weak self] in
                self?.appear(peripheral, presence.repeats ? presence : nil)
            }
        }
    }

    func peripheralDidConnect(_ peripheral: SimulatedPeripheral) {
        guard let delay = descriptions[ObjectIdentifier(peripheral)]?.disconnectsAfter else { return }
        timers[ObjectIdentifier(peripheral)] = SimulatorActor.schedule(after: delay) {
            peripheral.simulateDisconnection()
        }
    }

    func peripheralDidDisconnect(_ peripheral: SimulatedPeripheral) {
        timers.removeValue(forKey: ObjectIdentifier(peripheral))?.cancel()
    }

    func peripheral(_ peripheral: SimulatedPeripheral, didSubscribeTo characteristic: SimulatedCharacteristic) {
        guard let device = devices[ObjectIdentifier(peripheral)], characteristic.uuid == device.profile.notify,
            let unsolicited = descriptions[ObjectIdentifier(peripheral)]?.serial?.unsolicited
        else { return }
        timers[ObjectIdentifier(device)]?.cancel()
        send(unsolicited, 0, device)
    }

    /// Sends a serial device's unsolicited data.
    private func send(_ unsolicited: SimulationFile.Unsolicited, _ index: Int, _ device: SimulatedSerialDevice) {
        let pieces = unsolicited.pieces
        guard !pieces.isEmpty, index < pieces.count || unsolicited.repeats else { return }
        timers[ObjectIdentifier(device)] = SimulatorActor.schedule(after: unsolicited.interval) { [weak self] in
            guard device.isSubscribed else { return }
            device.send(pieces[index % pieces.count])
            self?.send(unsolicited, index + 1, device)
        }
    }
}
