import BlueZSimulatedSerial
import BlueZSimulator

/// A simulator with one accessory in range, "ECHO", which sends back what it receives.
@SimulatorActor final class SimulatedAccessory {
    private var simulation: (bluez: SimulatedBlueZ, device: SimulatedSerialDevice)?

    /// Starts the simulator, and returns the address of its message bus.
    func start() async throws -> String {
        let bluez = try await SimulatedBlueZ()
        let information = ServiceSpecification.deviceInformation(manufacturer: "Example Inc.", modelNumber: "E-1")
        simulation = (bluez, try SimulatedSerialDevice(in: bluez, name: "ECHO", services: [information]))
        return bluez.address
    }

    /// Ends the simulator and its bus.
    func stop() { simulation = nil }
}
