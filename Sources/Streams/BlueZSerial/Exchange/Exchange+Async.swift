import CoreBlueZ

extension Exchange {
    /// Sends a request and returns its reply; the async form of `exchange(_:timeout:sent:progress:completion:)`.
    /// Cancelling the task cancels the exchange.
    public func exchange(
        _ message: Message,
        timeout: Duration,
        sent: @escaping @BluetoothActor () -> Void = {},
        progress: @escaping @BluetoothActor (Message) -> Void = { _ in }
    ) async throws(ExchangeError) -> Message {
        let result = try? await AsyncBridge.wait { completion in
            startExchanging(message, timeout, sent, progress) { completion(.success($0)) }
            return Cancellation { [weak self] _ in self?.cancel() }
        }
        return try (result ?? .failure(.failed(.unknown, "The exchange ended without a result"))).get()
    }

    /// Sends a message that has no reply; the async form of `send(_:completion:)`.
    public func send(_ message: Message) async throws(ExchangeError) {
        let error = await withCheckedContinuation { continuation in
            send(message) { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }
}
