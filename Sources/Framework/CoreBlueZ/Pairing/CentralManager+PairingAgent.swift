import BlueZClient

extension CentralManager {
    /// The agent that this manager has registered, or nil.
    public var pairingAgent: PairingAgent? {
        client.agent.manager === self ? client.agent.agent : nil
    }

    /// Registers an agent, whose closures are called when this process pairs a device. It replaces this manager's
    /// earlier agent.
    ///
    /// The agent stays registered until it is unregistered or the manager is released, even if bluetoothd restarts. A
    /// program has one agent per bus.
    ///
    /// The operation fails with:
    /// - `busy` if another manager of the program has an agent, or the bus has reached a limit.
    /// - `daemonUnavailable`, `busUnavailable` or `accessDenied` if bluetoothd cannot be reached.
    /// - `timedOut` if bluetoothd does not reply within 10 s, `cancelled` if the manager is released, and `failed` if
    ///   bluetoothd reports another error.
    ///
    /// - Parameters:
    ///   - agent: the agent, with its closures already set.
    ///   - isDefault: whether the agent is also asked about pairings that other programs or devices start, or that
    ///     reading a value starts (`RequestDefaultAgent`). The desktop's own agent is then not asked. BlueZ asks the
    ///     first agent in any case, but without `asDefault` all such questions are refused.
    ///   - completion: gets nil when the agent is registered, or the error.
    public func registerPairingAgent(
        _ agent: PairingAgent,
        asDefault isDefault: Bool = false,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startRegistering(agent, isDefault) { completion($0.failure) }
    }

    /// Registers an agent; the async form of `registerPairingAgent(_:asDefault:completion:)`.
    public func registerPairingAgent(
        _ agent: PairingAgent,
        asDefault isDefault: Bool = false
    ) async throws(BluetoothError) {
        try await AsyncBridge.wait { startRegistering(agent, isDefault, $0) }
    }

    /// Unregisters this manager's agent, and withdraws its pending questions. Does nothing if there is no agent. It
    /// fails with the codes of `registerPairingAgent(_:asDefault:completion:)` except `busy`.
    public func unregisterPairingAgent(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startUnregistering { completion($0.failure) }
    }

    /// Unregisters this manager's agent; the async form of `unregisterPairingAgent(completion:)`.
    public func unregisterPairingAgent() async throws(BluetoothError) {
        try await AsyncBridge.wait { startUnregistering($0) }
    }

    @discardableResult
    private func startRegistering(
        _ agent: PairingAgent,
        _ isDefault: Bool,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation = Operation<Void>(
            "Registering for pairing", on: nil, needsConnection: false, limit: Timeouts.discovery * 2,
            in: operations, completion: completion
        )
        client.agent.set(agent, of: self, asDefault: isDefault) { operation.finish(Result(failure: $0)) }
        return operation
    }

    @discardableResult
    private func startUnregistering(
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation = Operation<Void>(
            "Unregistering for pairing", on: nil, needsConnection: false, limit: Timeouts.discovery * 2,
            in: operations, completion: completion
        )
        client.agent.remove(of: ObjectIdentifier(self)) { operation.finish(Result(failure: $0)) }
        return operation
    }
}
