import BlueZSimulator
import SimulatedSensorTag

/// A simulated tag for a command that runs in another process.
@SimulatorActor final class Air {
    let bluez: SimulatedBlueZ
    let tag: SimulatedSensorTag
    let environment: [String: String]

    static func make(_ model: SensorTagModel) async throws -> Air {
        try await SimulatorActor.run { try await Air(model) }
    }

    private init(_ model: SensorTagModel) async throws {
        bluez = try await SimulatedBlueZ()
        tag = try SimulatedSensorTag(model, in: bluez)
        environment = ["DBUS_SYSTEM_BUS_ADDRESS": bluez.address]
    }

    /// Lets the tag answer a write to a characteristic on TI's base with an error, or late.
    func spoil(_ number: String, error: UInt8? = nil, delay: Duration? = nil) {
        guard let uuid = BluetoothUUID("f000\(number)-0451-4000-b000-000000000000") else { return }
        let characteristic = tag.peripheral.characteristic(uuid)
        characteristic?.faults.writeError = error.map { ATTError(rawValue: $0) }
        characteristic?.faults.delay = delay ?? .zero
    }

    var log: [SimulatedPeripheral.LogEntry] { tag.peripheral.log }

    func drop() { tag.peripheral.simulateDisconnection() }

    var isConnected: Bool { tag.peripheral.isConnected }
}
