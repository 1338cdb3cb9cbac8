import CoreBlueZ
import FoundationEssentials

/// The mock, as the works use it.
@BluetoothActor struct Mock {
    /// The characteristics of each of its peripherals.
    @BluetoothActor struct Heart {
        let peripheral: Peripheral
        let service: Service

        var notified: Characteristic { service.characteristic(0x2A37) }
        var readOnly: Characteristic { service.characteristic(0x2A38) }
        var control: Characteristic { service.characteristic(0x2A39) }
        var written: Characteristic { service.characteristic(0xFF01) }
        var status: Characteristic { service.characteristic(0xFF02) }

        /// One of sixteen that can be read and can notify.
        func one(_ index: Int) -> Characteristic { service.characteristic(BluetoothUUID(UInt16(0xFF10 + index))) }
    }

    /// Of the manager that lives as long as the program.
    static let shared = Mock()

    let central = CentralManager()

    /// The first peripheral, connected and discovered. It is not scanned for: how many advertisements a scan hears until
    /// it ends is chance, which would be in the counts of instructions.
    func first() async throws -> Heart {
        try await powerOn()
        return try await number(0)
    }

    /// The same, found by a scan.
    func firstFound() async throws -> Heart {
        try await powerOn()
        return try await connected(try await central.firstPeripheral(withServices: [0x180D]))
    }

    /// Waits for bluetoothd's objects.
    func powerOn() async throws { try await central.waitUntilPoweredOn(timeout: .seconds(600)) }

    /// A peripheral by its number, connected and discovered.
    func number(_ index: Int) async throws -> Heart {
        let parts = [0xC0, 0xFF, 0xEE, index >> 16 & 255, index >> 8 & 255, index & 255]
        let text = parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
        guard let address = BluetoothAddress(text),
            let peripheral = central.retrievePeripheral(withIdentifier: address)
        else { throw Client.Failure(description: "There is no peripheral \(text)") }
        return try await connected(peripheral)
    }

    private func connected(_ peripheral: Peripheral) async throws -> Heart {
        try await peripheral.connect()
        try await peripheral.discoverServices()
        return Heart(peripheral: peripheral, service: peripheral.service(0x180D))
    }
}

/// The first of what may be several calls of a completion.
@BluetoothActor func completion(
    _ body: (@escaping @BluetoothActor (BluetoothError?) -> Void) -> Void
) async throws {
    let error = await withCheckedContinuation { (continuation: CheckedContinuation<BluetoothError?, Never>) in
        var end: CheckedContinuation<BluetoothError?, Never>? = continuation
        body { error in
            end?.resume(returning: error)
            end = nil
        }
    }
    if let error { throw error }
}
