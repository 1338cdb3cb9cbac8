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

    var log: [SimulatedPeripheral.LogEntry] { tag.peripheral.log }

    func drop() { tag.peripheral.simulateDisconnection() }

    var isConnected: Bool { tag.peripheral.isConnected }
}
