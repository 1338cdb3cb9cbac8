import BlueZClient
import CoreBlueZ

extension Peripheral {
    /// Opens an RFCOMM channel to a service of a classic device, and makes the link if there is none.
    ///
    /// This program must not have registered the profile with the server role only. A service of a device has one
    /// channel at a time.
    ///
    /// - Parameters:
    ///   - uuid: the service, such as `BluetoothUUID.serialPort`.
    ///   - options: timeout, retries, and whether scans pause meanwhile.
    ///   - completion: gets the channel; or `notSupported` if the device does not offer the service, `busy` if there is
    ///     a channel already or another program has the profile, `connectionTimedOut`, `connectionFailed`.
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
        BluetoothActor.later { opening.begin() }
        return operation
    }
}
