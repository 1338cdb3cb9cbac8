import BlueZSimulator
import DBus

/// The simulator in this process, with the same control channel as `bluez-simulator --control`.
enum SimulatedSide {
    static func make(timeScale: Double) async throws -> Side {
        throw ControlClient.Refusal(description: "The simulator is not there yet")
    }
}
