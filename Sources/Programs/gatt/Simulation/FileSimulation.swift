import BlueZDBus
import BlueZScript
import BlueZSimulator

/// A simulated BlueZ with the described peripherals.
@SimulatorActor final class FileSimulation {
    nonisolated let bluez: SimulatedBlueZ
    private let behaviour = FileBehaviour()

    init(_ file: SimulationFile) async throws {
        bluez = try await SimulatedBlueZ(
            .init(adapters: file.adapters, timing: file.isInstant ? .instant : Timing()))
        for description in file.peripherals {
            do {
                let peripheral = try bluez.add(description.specification)
                behaviour.add(description, peripheral)
                behaviour.move(peripheral)
            } catch let error as DBusError {
                throw CommandFailure(.data, "\(file.path):\(description.line): \(error.message)")
            }
        }
    }
}
