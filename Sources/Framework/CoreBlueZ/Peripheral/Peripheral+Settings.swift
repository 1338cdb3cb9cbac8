import BlueZClient
import BlueZDBus

/// The settings that bluetoothd stores for a device. They affect all programs, and remain when this program ends.
///
/// The operations fail with `timedOut` if bluetoothd does not reply within 10 s, and with the codes of every operation
/// (see ``Peripheral``).
extension Peripheral {
    /// Sets whether the user trusts the device. A trusted device may connect and use services without a question. Fails
    /// with the codes of every operation (see ``Peripheral``), or with `timedOut` after 10 s.
    public func setTrusted(_ isTrusted: Bool, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        set("Trusted", to: .boolean(isTrusted)) { completion($0.failure) }
    }

    /// Sets whether the user trusts the device; the async form of `setTrusted(_:completion:)`.
    public func setTrusted(_ isTrusted: Bool) async throws(BluetoothError) {
        try await AsyncBridge.wait { set("Trusted", to: .boolean(isTrusted), $0) }
    }

    /// Sets whether the user has blocked the device. bluetoothd ends the link of a blocked device, and refuses further
    /// ones. Fails with the codes of every operation (see ``Peripheral``), or with `timedOut` after 10 s.
    public func setBlocked(_ isBlocked: Bool, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        set("Blocked", to: .boolean(isBlocked)) { completion($0.failure) }
    }

    /// Sets whether the user has blocked the device; the async form of `setBlocked(_:completion:)`.
    public func setBlocked(_ isBlocked: Bool) async throws(BluetoothError) {
        try await AsyncBridge.wait { set("Blocked", to: .boolean(isBlocked), $0) }
    }

    /// Sets the name that the user gives the device. An empty name restores the device's own name. Fails with the codes
    /// of every operation (see ``Peripheral``), or with `timedOut` after 10 s.
    public func setAlias(_ alias: String, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        set("Alias", to: .string(alias)) { completion($0.failure) }
    }

    /// Sets the name that the user gives the device; the async form of `setAlias(_:completion:)`.
    public func setAlias(_ alias: String) async throws(BluetoothError) {
        try await AsyncBridge.wait { set("Alias", to: .string(alias), $0) }
    }

    @discardableResult
    private func set(
        _ property: String, to value: Value,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let title =
            switch (property, value) {
            case ("Trusted", .boolean(true)): "Trusting"
            case ("Trusted", _): "Distrusting"
            case ("Blocked", .boolean(true)): "Blocking"
            case ("Blocked", _): "Unblocking"
            default: "Renaming"
            }
        let operation: Operation<Void> = begin(title, needsConnection: false, limit: Timeouts.discovery, completion)
        client(for: operation)?.set(property, of: path, BlueZ.device, to: value, for: operation)
        return operation
    }
}
