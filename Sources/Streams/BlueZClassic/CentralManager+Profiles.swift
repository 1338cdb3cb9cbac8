import BlueZClient
import BlueZDBus
import CoreBlueZ

extension CentralManager {
    /// Registers an RFCOMM profile with bluetoothd, which offers a service to classic devices, or connects to it on all
    /// of them.
    ///
    /// The profile stays registered until it is unregistered or the manager is released, even if bluetoothd restarts.
    /// bluetoothd has one profile per UUID. A program that only opens channels need not register anything.
    ///
    /// The operation fails with:
    /// - `busy` if this or another program has registered the UUID, or the bus has reached a limit.
    /// - `daemonUnavailable`, `busUnavailable` or `accessDenied` if bluetoothd cannot be reached.
    /// - `timedOut` if bluetoothd does not reply in time, `cancelled` if the manager is released, and `failed` if
    ///   bluetoothd reports another error.
    ///
    /// - Parameters:
    ///   - profile: the UUID of the service, and which side connects.
    ///   - channelHandler: called with the channels that devices open, or that `openRFCOMMChannel` did not open.
    ///   - completion: gets nil when the profile is registered, or the error.
    public func registerProfile(
        _ profile: RFCOMMProfile,
        channelHandler: @escaping @BluetoothActor (RFCOMMChannel) -> Void,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startRegistering(profile, channelHandler) { completion($0.failure) }
    }

    /// Registers an RFCOMM profile; the async form of `registerProfile(_:channelHandler:completion:)`.
    public func registerProfile(
        _ profile: RFCOMMProfile,
        channelHandler: @escaping @BluetoothActor (RFCOMMChannel) -> Void
    ) async throws(BluetoothError) {
        try await AsyncBridge.wait { startRegistering(profile, channelHandler, $0) }
    }

    /// Unregisters a profile that this manager registered, and closes its channels. Does nothing if there is none.
    ///
    /// - Parameters:
    ///   - uuid: the profile's UUID.
    ///   - completion: gets nil when the profile is unregistered, or the error.
    public func unregisterProfile(
        _ uuid: BluetoothUUID, completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startUnregistering(uuid) { completion($0.failure) }
    }

    /// Unregisters a profile; the async form of `unregisterProfile(_:completion:)`.
    public func unregisterProfile(_ uuid: BluetoothUUID) async throws(BluetoothError) {
        try await AsyncBridge.wait { startUnregistering(uuid, $0) }
    }

    @discardableResult
    private func startRegistering(
        _ profile: RFCOMMProfile,
        _ handler: @escaping @BluetoothActor (RFCOMMChannel) -> Void,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation = Operation<Void>(
            "Registering the profile \(profile.uuid)", on: nil, needsConnection: false, limit: Timeouts.discovery,
            in: operations, completion: completion)
        let profiles = client.profiles
        let isTaken = profiles.registration(of: profile.uuid) != nil
        guard !isTaken, let registration = profiles.registration(of: profile) else {
            let text = "\(operation.title): this program has registered it already, or has a channel of it open"
            BluetoothActor.perform { operation.fail(BluetoothError(.busy, text)) }
            return operation
        }
        registration.own(by: self, handler)
        operation.whenEnded { error in
            if error != nil { profiles.remove(registration) }
        }
        registration.ensure { operation.finish(Result(failure: $0)) }
        return operation
    }

    @discardableResult
    private func startUnregistering(
        _ uuid: BluetoothUUID, _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation = Operation<Void>(
            "Unregistering the profile \(uuid)", on: nil, needsConnection: false, limit: Timeouts.discovery,
            in: operations, completion: completion)
        let registration = client.profiles.registration(of: uuid)
        guard let registration, registration.isOwned(by: ObjectIdentifier(self)) else {
            BluetoothActor.perform { operation.succeed(()) }
            return operation
        }
        client.profiles.remove(registration) { operation.finish(Result(failure: $0)) }
        return operation
    }
}
