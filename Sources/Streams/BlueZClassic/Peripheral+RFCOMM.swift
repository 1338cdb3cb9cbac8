import BlueZClient
import CoreBlueZ

extension Peripheral {
    /// Opens an RFCOMM channel to a service of a classic device. Connects the device if there is no link.
    ///
    /// A service of a device has one channel at a time.
    ///
    /// The operation fails with these codes, in addition to those of every operation (see `Peripheral`):
    /// - `notSupported` if the device does not offer the service, or this program has registered the profile with the
    ///   server role only.
    /// - `busy` if there is already a channel or one is being opened, or another program has registered the profile.
    /// - `connectionTimedOut` if the timeout expires, or the device does not respond.
    /// - `connectionFailed` if the link does not come up, even after the retries.
    /// - `insufficientSecurity` or `bondLost` if pairing fails, or the device has forgotten its pairing.
    ///
    /// - Parameters:
    ///   - uuid: the UUID of the service, such as `BluetoothUUID.serialPort`.
    ///   - options: the timeout, the number of retries, and whether scans are paused.
    ///   - completion: gets the channel, or the error.
    public func openRFCOMMChannel(
        _ uuid: BluetoothUUID,
        options: ConnectOptions = ConnectOptions(transport: .bredr),
        completion: @escaping @BluetoothActor (RFCOMMChannel?, BluetoothError?) -> Void
    ) {
        startOpening(uuid, options) { $0.split(completion) }
    }

    /// Opens an RFCOMM channel; the async form of `openRFCOMMChannel(_:options:completion:)`. Cancelling the task ends
    /// the attempt.
    public func openRFCOMMChannel(
        _ uuid: BluetoothUUID,
        options: ConnectOptions = ConnectOptions(transport: .bredr)
    ) async throws(BluetoothError) -> RFCOMMChannel {
        try await AsyncBridge.wait { startOpening(uuid, options, $0) }
    }

    @discardableResult
    private func startOpening(
        _ uuid: BluetoothUUID,
        _ options: ConnectOptions,
        _ completion: @escaping @BluetoothActor (Result<RFCOMMChannel, BluetoothError>) -> Void
    ) -> Operation<RFCOMMChannel> {
        let operation: Operation<RFCOMMChannel> = begin(
            "Opening the RFCOMM channel \(uuid)", needsConnection: false, limit: nil, completion)
        guard let client = client(for: operation) else { return operation }
        let opening = RFCOMMOpening(uuid, self, client, operation, options)
        BluetoothActor.perform { opening.begin() }
        return operation
    }
}
