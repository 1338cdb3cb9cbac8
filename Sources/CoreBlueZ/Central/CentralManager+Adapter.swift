import BlueZClient
import DBus

/// Settings of the manager's adapter. All programs see them.
extension CentralManager {
    /// Switches the adapter on or off. Switching it off ends all links and scans of this machine.
    ///
    /// - Parameters:
    ///   - isPowered: whether to switch it on.
    ///   - completion: gets nil once it is done, or the error, for instance if rfkill blocks the adapter.
    public func setPowered(_ isPowered: Bool, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        set("Powered", to: isPowered) { completion($0.failure) }
    }

    /// Switches the adapter on or off; the async form of `setPowered(_:completion:)`.
    public func setPowered(_ isPowered: Bool) async throws(BluetoothError) {
        try await AsyncBridge.wait { set("Powered", to: isPowered, $0) }
    }

    /// Sets whether other devices may pair with this machine.
    public func setPairable(_ isPairable: Bool, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        set("Pairable", to: isPairable) { completion($0.failure) }
    }

    /// Sets whether other devices may pair with this machine; the async form of `setPairable(_:completion:)`.
    public func setPairable(_ isPairable: Bool) async throws(BluetoothError) {
        try await AsyncBridge.wait { set("Pairable", to: isPairable, $0) }
    }

    @discardableResult
    private func set(
        _ property: String, to value: Bool,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let title =
            switch (property, value) {
            case ("Powered", true): "Switching the adapter on"
            case ("Powered", false): "Switching the adapter off"
            default: "Setting whether the adapter is pairable"
            }
        // Without a subject: the loss of power ends operations on the adapter.
        let operation = Operation<Void>(
            title, on: nil, needsConnection: false, limit: Timeouts.discovery, in: operations, completion: completion)
        if let adapterPath {
            client.set(property, of: adapterPath, BlueZ.adapter, to: .boolean(value), for: operation)
        } else {
            let error =
                stateError ?? BluetoothError(.adapterGone, BluetoothError.unavailable(BluetoothError.adapterSuggestion))
            BluetoothActor.later { operation.fail(error) }
        }
        return operation
    }
}
