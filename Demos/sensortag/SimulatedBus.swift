import BlueZSimulator
import SimulatedSensorTag

/// The simulator with a tag in it.
@SimulatorActor final class SimulatedBus {
    /// The address of the message bus.
    let address: String
    private var bluez: SimulatedBlueZ?
    private var tag: SimulatedSensorTag?

    /// Starts the simulator on a message bus of its own.
    static func start(_ model: SensorTagModel) async throws(CommandFailure) -> SimulatedBus {
        do {
            return try await SimulatorActor.run { try await SimulatedBus(model) }
        } catch {
            throw CommandFailure(.unavailable, "The simulator does not start: \(error)")
        }
    }

    private init(_ model: SensorTagModel) async throws {
        let bluez = try await SimulatedBlueZ()
        tag = try SimulatedSensorTag(model, in: bluez)
        address = bluez.address
        self.bluez = bluez
    }

    /// Ends the simulator and its bus, whose directory is removed.
    func stop() {
        tag = nil
        bluez = nil
    }
}
