import BlueZClient
import BlueZDBus

/// Settings of the manager's adapter. They affect all programs.
extension CentralManager {
    /// Switches the adapter on or off. Switching it off ends all links and scans of this machine.
    ///
    /// The operation fails with:
    /// - `adapterOff` if rfkill blocks the adapter.
    /// - `busy` if bluetoothd is already switching the adapter.
    /// - `adapterGone`, `daemonUnavailable`, `busUnavailable` or `accessDenied` if there is no adapter or bluetoothd
    ///   cannot be reached.
    /// - `timedOut` if bluetoothd does not reply within 10 s, `cancelled` if the manager is released, and `failed` if
    ///   bluetoothd reports another error.
    ///
    /// - Parameters:
    ///   - isPowered: whether to switch it on.
    ///   - completion: gets nil when bluetoothd has changed the setting, or the error.
    public func setPowered(_ isPowered: Bool, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        set("Powered", to: isPowered) { completion($0.failure) }
    }

    /// Switches the adapter on or off; the async form of `setPowered(_:completion:)`.
    public func setPowered(_ isPowered: Bool) async throws(BluetoothError) {
        try await AsyncBridge.wait { set("Powered", to: isPowered, $0) }
    }

    /// Sets whether other devices may pair with this machine. It fails with the same codes as
    /// `setPowered(_:completion:)`.
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
        // No subject, because switching the adapter off ends the operations on it.
        let operation = Operation<Void>(
            title, on: nil, needsConnection: false, limit: Timeouts.discovery, in: operations, completion: completion)
        if let adapterPath {
            client.set(property, of: adapterPath, BlueZ.adapter, to: .boolean(value), for: operation)
        } else {
            let error =
                stateError ?? BluetoothError(.adapterGone, BluetoothError.unavailable(BluetoothError.adapterSuggestion))
            BluetoothActor.perform { operation.fail(error) }
        }
        return operation
    }
}
