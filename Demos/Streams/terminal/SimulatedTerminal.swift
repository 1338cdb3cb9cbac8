import BlueZSimulatedSerial
import BlueZSimulator

/// A simulator with a payment terminal, "TERMINAL". No card is inserted for the payment of 99.00.
@SimulatorActor final class SimulatedTerminal {
    private static let replies = [
        "PAY 12.50": ["MSG Insert card", "MSG Enter PIN", "APPROVED 12.50"], "PAY 7.00": ["APPROVED 7.00"],
        "PAY 99.00": ["MSG Insert card"], "CANCEL": ["CANCELLED"], "RESET PINPAD": ["RESETTING"],
    ]
    private var simulation: (bluez: SimulatedBlueZ, device: SimulatedSerialDevice)?

    /// Starts the simulator, and returns the address of its message bus.
    func start() async throws -> String {
        let bluez = try await SimulatedBlueZ()
        let script = ResponseScript(Self.replies.map { .init(Array("\($0)\n".utf8), $1.map { Array("\($0)\n".utf8) }) })
        simulation = (bluez, try SimulatedSerialDevice(in: bluez, name: "TERMINAL", script: script))
        simulation?.device.interval = .milliseconds(300)
        return bluez.address
    }

    /// Ends the simulator and its bus.
    func stop() { simulation = nil }
}
