import BlueZScript
import BlueZSerial
import CoreBlueZ

/// Lets the user at the terminal choose a device.
@BluetoothActor final class DevicePicker {
    private var list = DeviceList()

    /// Lists the devices in range until a number is typed.
    ///
    /// - Returns: the address of the device.
    func choose(_ session: Session, _ options: AdapterOptions) async throws -> String {
        guard TerminalInput.isAvailable else {
            throw CommandFailure(.usage, "Without a terminal, give DEVICE; see: gatt scan")
        }
        let central = try await session.central(options)
        Progress.report("Devices in range; type the number of one, or Ctrl-D to cancel:")
        for peripheral in central.retrieveKnownPeripherals() where peripheral.isConnected { show(peripheral) }
        let scan = Task { @BluetoothActor in
            try? await central.scanForPeripherals { peripheral, _, _ in self.show(peripheral) }
        }
        let line = await chosen()
        scan.cancel()
        await scan.value
        try Task.checkCancellation()
        guard let line else { throw CommandFailure(.notFound, "No device was chosen") }
        return line.description
    }

    private func chosen() async -> BluetoothAddress? {
        let input = TerminalInput()
        while let line = await input.line("", takesEarlier: true) {
            if let address = list.device(line) { return address }
            Progress.report("There is no device with this number")
        }
        return nil
    }

    private func show(_ peripheral: Peripheral) {
        guard let address = peripheral.address else { return }
        let services = peripheral.advertisement.serviceUUIDs
        let profile = SerialProfile.all.first { services.contains($0.service) }
        let note = peripheral.isConnected ? "connected" : profile?.name ?? ""
        if let line = list.add(address, name: peripheral.name, note: note) { Progress.report(line) }
    }
}
