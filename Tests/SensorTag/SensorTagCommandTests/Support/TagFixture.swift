import BlueZSimulatedSensorTag
import BlueZSimulator
import TestSupport

/// A simulated tag for a command that runs in another process.
@SimulatorActor final class TagFixture: SimulatorFixture {
    let tag: SimulatedSensorTag

    init(_ model: SensorTagModel) async throws {
        let bluez = try await Self.start(.init())
        tag = try SimulatedSensorTag(model, in: bluez)
        super.init(bluez, tag.peripheral)
    }

    /// Lets the tag answer a write to a characteristic on TI's base with an error, or late.
    func spoil(_ number: String, error: UInt8? = nil, delay: Duration? = nil) {
        guard let uuid = BluetoothUUID("f000\(number)-0451-4000-b000-000000000000") else { return }
        let characteristic = peripheral.characteristic(uuid)
        characteristic?.faults.writeError = error.map { ATTError(rawValue: $0) }
        characteristic?.faults.delay = delay ?? .zero
    }

    var log: [SimulatedPeripheral.LogEntry] { peripheral.log }

    var isConnected: Bool { peripheral.isConnected }
}
