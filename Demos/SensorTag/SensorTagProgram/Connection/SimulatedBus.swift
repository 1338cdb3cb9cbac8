import BlueZScript
import BlueZSimulatedSensorTag
import BlueZSimulator

/// A simulator with tags.
@SimulatorActor package final class SimulatedBus {
    /// The address of the message bus.
    package let address: String
    private var bluez: SimulatedBlueZ?
    private var tags: [SimulatedSensorTag] = []

    /// Starts the simulator on its own message bus.
    package static func start(_ models: [SensorTagModel]) async throws(CommandFailure) -> SimulatedBus {
        do {
            return try await SimulatorActor.run { try await SimulatedBus(models) }
        } catch {
            throw CommandFailure(.unavailable, "The simulator does not start: \(error)")
        }
    }

    /// Starts a simulator with two adapters, hci0 and hci1, which hear each other, and without tags.
    package static func startTwoAdapters() async throws(CommandFailure) -> SimulatedBus {
        do {
            return try await SimulatorActor.run {
                let second = AdapterSpecification(address: "00:AA:01:00:00:43", name: "reader")
                return try await SimulatedBus([], adapters: [AdapterSpecification(), second])
            }
        } catch {
            throw CommandFailure(.unavailable, "The simulator does not start: \(error)")
        }
    }

    private init(
        _ models: [SensorTagModel], adapters: [AdapterSpecification] = [AdapterSpecification()]
    ) async throws {
        let bluez = try await SimulatedBlueZ(.init(adapters: adapters))
        tags = try models.enumerated().map { index, model in
            let twins = models[..<index].count { $0.defaultAddress == model.defaultAddress }
            return try SimulatedSensorTag(
                model, in: bluez, address: try Self.address(of: model, number: twins),
                environment: SensorEnvironment(seed: UInt64(index)))
        }
        address = bluez.address
        self.bluez = bluez
    }

    /// The address of the first, second, ... tag with the same default address: the last byte is incremented.
    private static func address(of model: SensorTagModel, number: Int) throws(CommandFailure) -> String {
        let address = model.defaultAddress
        guard let last = UInt8(address.suffix(2), radix: 16), number <= Int(UInt8.max - last) else {
            throw CommandFailure(.usage, "There are too many tags of one model to simulate")
        }
        let byte = String(Int(last) + number, radix: 16, uppercase: true)
        return address.dropLast(2) + (byte.count == 1 ? "0" : "") + byte
    }

    /// Ends the simulator and its bus, and removes the bus's directory.
    package func stop() {
        tags = []
        bluez = nil
    }
}
