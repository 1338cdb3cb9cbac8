extension Peripheral {
    /// Connects, runs `body`, and ends the link again if there was none before, however `body` ends, even if the task
    /// is cancelled.
    ///
    /// ```swift
    /// let name = try await tag.withConnection {
    ///     try await tag.discoverServices()
    ///     return try await tag.service(0x180A).characteristic(0x2A29).readValue()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - options: how to connect.
    ///   - body: what to do while connected.
    /// - Throws: why there is no link, what `body` throws, or, if `body` returns, why the link could not be ended.
    public func withConnection<Value: Sendable>(
        options: ConnectOptions = ConnectOptions(),
        _ body: @BluetoothActor () async throws -> Value
    ) async throws -> Value {
        let hadLink = isConnected
        try await connect(options: options)
        let value: Value
        do {
            value = try await body()
        } catch {
            if !hadLink { try? await disconnect() }
            throw error
        }
        if !hadLink { try await disconnect() }
        return value
    }
}

extension CentralManager {
    /// Ends the links to all peripherals that this manager has objects for, in parallel, and all attempts to connect.
    ///
    /// - Parameter completion: gets nil when no link is left, or the first error.
    public func disconnectAll(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startDisconnectingAll { completion($0.failure) }
    }

    /// Ends the links to all peripherals; the async form of `disconnectAll(completion:)`. Also works in a cancelled
    /// task.
    public func disconnectAll() async throws(BluetoothError) {
        try await AsyncBridge.waitRegardless { startDisconnectingAll($0) }
    }

    @discardableResult
    private func startDisconnectingAll(
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation = Operation<Void>(
            "Disconnecting all", on: nil, needsConnection: false, limit: nil, in: operations, completion: completion)
        let concerned = peripherals.filter { $0.isConnected || $0.state != .disconnected || $0.isReconnecting }
        var left = concerned.count
        var firstError: BluetoothError?
        for peripheral in concerned {
            peripheral.startDisconnecting { result in
                firstError = firstError ?? result.failure
                left -= 1
                if left == 0 { operation.finish(firstError.map { .failure($0) } ?? .success(())) }
            }
        }
        if concerned.isEmpty { BluetoothActor.later { operation.succeed(()) } }
        return operation
    }
}
