extension Peripheral {
    /// Connects; the async twin of `connect(options:completion:)`. The task's cancellation ends the attempt.
    public func connect(options: ConnectOptions = ConnectOptions()) async throws(BluetoothError) {
        try await AsyncBridge.wait { startConnecting(options, $0) }
    }

    /// Ends the link; the async twin of `disconnect(completion:)`. It does so in a cancelled task too: cleaning up is what
    /// such a task still has to do.
    public func disconnect() async throws(BluetoothError) {
        try await AsyncBridge.waitRegardless { startDisconnecting($0) }
    }

    /// Finds the services; the async twin of `discoverServices(_:completion:)`.
    @discardableResult
    public func discoverServices(_ uuids: [BluetoothUUID]? = nil) async throws(BluetoothError) -> [Service] {
        try await AsyncBridge.wait { startDiscoveringServices(uuids, $0) }
    }
}
