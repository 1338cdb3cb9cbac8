import CoreBlueZ

extension FramedStream {
    /// Sends a message after those of earlier calls; the async form of `send(_:handedOver:completion:)`. Cancelling the
    /// task withdraws the bytes that have not been sent.
    public func send(_ message: Message) async throws(BluetoothError) {
        try await AsyncBridge.wait { completion in
            let request = send(message) { completion(Result(failure: $0)) }
            return Cancellation { _ in request?.cancel() }
        }
    }

    /// Returns the messages and errors from now on, and those that are waiting, for one consumer. The sequence replaces
    /// `receiveHandler`, and ends the sequence of an earlier call. After the last message, it ends if the stream was
    /// closed, and throws the error of any other end. Without a consumer, messages wait in the stream again.
    ///
    /// - Parameter limit: how many messages are buffered for a slow consumer. If there are more, the sequence throws
    ///   `BluetoothError.Code.overflow`.
    public func events(bufferingUpTo limit: Int = 4096) -> EventSequence<Event> {
        let buffer = EventSequence<Event>.Buffer(limit: limit)
        sequence?.finish(nil)
        receiveHandler = { buffer.append($0) }
        sequence = buffer
        // A sequence that ends late must not remove the handler of its successor.
        let changes = receiverChanges
        buffer.whenEnded { [weak self] in
            guard let self, self.receiverChanges == changes else { return }
            self.receiveHandler = nil
            self.sequence = nil
        }
        return EventSequence(buffer)
    }
}
