import BlueZScript
import CoreBlueZ

extension CentralManager {
    /// Waits until Bluetooth can be used.
    ///
    /// - Throws: a failure that suggests `--simulate` if there is no Bluetooth.
    package func waitUntilUsable() async throws(CommandFailure) {
        do throws(BluetoothError) {
            try await waitUntilPoweredOn()
        } catch {
            let failure = CommandFailure(error)
            guard failure.status == .unavailable else { throw failure }
            throw CommandFailure(
                .unavailable,
                failure.message + "\nTo try the program without Bluetooth, use --simulate")
        }
    }
}
