import BlueZSimulator
import CommandLineSupport
import SimulatedSensorTag

/// The simulator with tags in it.
@SimulatorActor final class SimulatedBus {
    /// The address of the message bus.
    let address: String
    private var bluez: SimulatedBlueZ?
    private var tags: [SimulatedSensorTag] = []

    /// Starts the simulator on a message bus of its own.
    static func start(_ models: [SensorTagModel]) async throws(CommandFailure) -> SimulatedBus {
        do {
            return try await SimulatorActor.run { try await SimulatedBus(models) }
        } catch {
            throw CommandFailure(.unavailable, "The simulator does not start: \(error)")
        }
    }

    private init(_ models: [SensorTagModel]) async throws {
        let bluez = try await SimulatedBlueZ()
        tags = try models.map { try SimulatedSensorTag($0, in: bluez) }
        address = bluez.address
        self.bluez = bluez
    }

    /// Ends the simulator and its bus, whose directory is removed.
    func stop() {
        tags = []
        bluez = nil
    }
}
