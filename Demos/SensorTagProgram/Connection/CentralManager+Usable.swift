import CommandLineSupport
import CoreBlueZ

extension CentralManager {
    /// Waits until Bluetooth can be used. Users without Bluetooth are told how to try the program nevertheless.
    package func waitUntilUsable() async throws(CommandFailure) {
        do throws(BluetoothError) {
            try await waitUntilPoweredOn()
        } catch {
            let failure = CommandFailure(error)
            guard failure.status == .unavailable else { throw failure }
            throw CommandFailure(
                .unavailable,
                failure.message + "\nWithout Bluetooth, --simulate shows everything with a simulated tag")
        }
    }
}
