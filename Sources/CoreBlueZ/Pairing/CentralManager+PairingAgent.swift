import BlueZClient

extension CentralManager {
    /// The agent that this manager registered, if any.
    public var pairingAgent: PairingAgent? {
        client.agent.manager === self ? client.agent.agent : nil
    }

    /// Registers an agent that bluetoothd asks when this process pairs a device. It replaces an earlier one of this
    /// manager.
    ///
    /// It stays registered until it is unregistered or the manager is gone, even if bluetoothd restarts. A program has
    /// one agent for each bus: while another manager has one, this fails with `busy`.
    /// - Parameters:
    ///   - agent: the closures that answer questions.
    ///   - isDefault: whether it is also asked about pairings that other programs or devices started, or that were
    ///     triggered by reading a value (`RequestDefaultAgent`). The desktop's own agent is then not asked. BlueZ gives
    ///     this role to the first agent anyway; without `asDefault` all such questions are refused.
    ///   - completion: gets nil, or the error if bluetoothd refuses.
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

    /// Unregisters this manager's agent. Its pending questions are withdrawn. Does nothing if there is no agent.
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
        client.agent.set(agent, of: self, asDefault: isDefault) { error in
            if let error { operation.fail(error) } else { operation.succeed(()) }
        }
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
        client.agent.remove(of: ObjectIdentifier(self)) { error in
            if let error { operation.fail(error) } else { operation.succeed(()) }
        }
        return operation
    }
}
