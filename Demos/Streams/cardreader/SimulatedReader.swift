import BlueZScript
import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator

/// A simulator with a card reader in range, and another serial device that is not one.
@SimulatorActor final class SimulatedReader {
    /// The address of the message bus.
    nonisolated let address: String
    private var bluez: SimulatedBlueZ?
    private var devices: [SimulatedSerialDevice] = []

    /// Starts the simulator on its own message bus.
    static func start(_ framing: CardReaderFraming) async throws(CommandFailure) -> SimulatedReader {
        do {
            return try await SimulatorActor.run { try await SimulatedReader(framing) }
        } catch {
            throw CommandFailure(.unavailable, "The simulator does not start: \(error)")
        }
    }

    private init(_ framing: CardReaderFraming) async throws {
        let bluez = try await SimulatedBlueZ()
        address = bluez.address
        self.bluez = bluez
        devices = [
            try SimulatedSerialDevice(in: bluez, .nordic, name: "UART", address: "00:AA:02:00:00:10"),
            try SimulatedSerialDevice(
                in: bluez, .issc, name: "READER", address: "00:AA:02:00:00:77", script: CardReaderScript(framing)),
        ]
        devices.last?.cutting = .length(20)
        devices.last?.delay = .milliseconds(300)
    }

    /// Ends the simulator and its bus, and removes the bus's directory.
    func stop() {
        devices = []
        bluez = nil
    }
}
