import BlueZClient
import DBus

/// The settings that bluetoothd stores for a device. All programs see them, and they outlast this one.
extension Peripheral {
    /// Sets whether the user trusts the device: it may connect and use services without a question.
    public func setTrusted(_ isTrusted: Bool, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        set("Trusted", to: .boolean(isTrusted)) { completion($0.failure) }
    }

    /// Sets whether the user trusts the device; the async form of `setTrusted(_:completion:)`.
    public func setTrusted(_ isTrusted: Bool) async throws(BluetoothError) {
        try await AsyncBridge.wait { set("Trusted", to: .boolean(isTrusted), $0) }
    }

    /// Sets whether the user has blocked the device: bluetoothd ends its link and refuses others.
    public func setBlocked(_ isBlocked: Bool, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        set("Blocked", to: .boolean(isBlocked)) { completion($0.failure) }
    }

    /// Sets whether the user has blocked the device; the async form of `setBlocked(_:completion:)`.
    public func setBlocked(_ isBlocked: Bool) async throws(BluetoothError) {
        try await AsyncBridge.wait { set("Blocked", to: .boolean(isBlocked), $0) }
    }

    /// Gives the device a name chosen by the user; an empty one restores its own name as the alias.
    public func setAlias(_ alias: String, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        set("Alias", to: .string(alias)) { completion($0.failure) }
    }

    /// Gives the device a name chosen by the user; the async form of `setAlias(_:completion:)`.
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
