import BlueZSimulator
import SimulatedSerial

/// A simulator with a payment terminal in the air. Nobody inserts a card for the payment of 99.00.
@SimulatorActor final class SimulatedTerminal {
    nonisolated static let name = "TERMINAL"
    private static let replies = [
        "PAY 12.50": ["MSG Insert card", "MSG Enter PIN", "APPROVED 12.50"], "PAY 7.00": ["APPROVED 7.00"],
        "PAY 99.00": ["MSG Insert card"], "CANCEL": ["CANCELLED"], "RESET PINPAD": ["RESETTING"],
    ]

    /// The address of the message bus.
    nonisolated let address: String
    private var bluez: SimulatedBlueZ?
    private var device: SimulatedSerialDevice?

    /// Starts the simulator on a message bus of its own.
    init() async throws {
        let bluez = try await SimulatedBlueZ()
        (address, self.bluez) = (bluez.address, bluez)
        let answers = Self.replies.map { request, lines in
            AnswerScript.Answer(Array("\(request)\n".utf8), lines.map { Array("\($0)\n".utf8) })
        }
        device = try SimulatedSerialDevice(in: bluez, name: Self.name, script: AnswerScript(answers))
        device?.interval = .milliseconds(300)
    }

    /// Ends the simulator and its bus, whose directory is removed.
    func stop() { (device, bluez) = (nil, nil) }
}
