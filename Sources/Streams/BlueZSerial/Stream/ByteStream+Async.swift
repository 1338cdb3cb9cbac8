import CoreBlueZ
import FoundationEssentials

extension ByteStream {
    /// Sends bytes after those of earlier calls; the async form of `send(_:handedOver:completion:)`. Cancelling the
    /// task withdraws the bytes that have not been sent.
    public func send(_ bytes: Data) async throws(BluetoothError) {
        try await AsyncBridge.wait { completion in
            let request = send(bytes, handedOver: {}) { completion(Result(failure: $0)) }
            return Cancellation { _ in request.cancel() }
        }
    }

    /// Sends bytes after those of earlier calls, without a `handedOver` closure.
    @discardableResult
    public func send(_ bytes: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) -> SendRequest {
        send(bytes, handedOver: {}, completion: completion)
    }

    /// Returns the bytes that arrive from now on, and those that are waiting, in pieces of any size, for one consumer.
    /// The sequence replaces `receiveHandler`, and ends the sequence of an earlier call. After the last byte, it ends
    /// if the stream was closed, and throws the error of any other end. If the stream has already ended, it delivers
    /// the remaining bytes and ends. Without a consumer, bytes wait in the stream again.
    ///
    /// - Parameter limit: how many pieces, each as long as a packet of the stream, are buffered for a slow consumer. If
    ///   there are more, the sequence throws `BluetoothError.Code.overflow`.
    public func received(bufferingUpTo limit: Int = 4096) -> EventSequence<Data> {
        let buffer = EventSequence<Data>.Buffer(limit: limit)
        receiverEndHandler?(nil)
        receiveHandler = { buffer.append($0) }
        receiverEndHandler = { buffer.finish($0) }
        // A sequence that ends late must not remove the handlers of its successor.
        let changes = receiverChanges
        buffer.whenEnded { [weak self] in
            guard let self, self.receiverChanges == changes else { return }
            self.receiveHandler = nil
            self.receiverEndHandler = nil
        }
        return EventSequence(buffer)
    }
}
