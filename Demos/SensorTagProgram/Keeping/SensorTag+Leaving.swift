import CoreBlueZ
import SensorTag

extension SensorTag {
    /// How long switching off may take before the link is cut, which switches the sensors off as well.
    private static let patience = Duration.seconds(5)

    /// Switches all sensors off and disconnects, whatever state they are in. A tag that does not answer is
    /// disconnected after 5 s.
    ///
    /// - Parameter complain: gets the errors on the way.
    package func leave(complain: @BluetoothActor (BluetoothError) -> Void) async {
        guard isConnected else { return }
        let cut = Task { [self] in
            try await Task.sleep(for: Self.patience)
            try await disconnect()
        }
        defer { cut.cancel() }
        for sensor in sensors where sensor.isOn {
            do throws(BluetoothError) {
                try await sensor.turnOff()
            } catch {
                complain(error)
            }
        }
        do throws(BluetoothError) {
            try await disconnect()
        } catch {
            complain(error)
        }
    }

    /// The address, or else what distinguishes the tag from others.
    package var deviceText: String { address?.description ?? displayName }
}
