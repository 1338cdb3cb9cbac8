extension Peripheral {
    /// Connects, runs `body`, and ends the link unless it already existed or another program made it. The link ends
    /// however `body` ends, even if the task is cancelled.
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
    /// - Throws: the error of `connect`, the error of `body`, or otherwise the error of `disconnect`.
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
            if !hadLink { try? await disconnectOwnLink() }
            throw error
        }
        if !hadLink { try await disconnectOwnLink() }
        return value
    }
}
