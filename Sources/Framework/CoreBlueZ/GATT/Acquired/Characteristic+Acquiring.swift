import BlueZClient
import BlueZDBus
import FoundationEssentials

extension Characteristic {
    /// Switches notifications on through a separate socket, for many values per second; see `AcquiredNotifications`.
    /// Values are passed neither to `Service.notificationHandler(_:error:)` nor to `value`.
    ///
    /// The operation fails with `busy` if notifications are already on, in this program or another, with `notSupported`
    /// if the characteristic cannot notify, and with the codes of `setNotifyValue(_:completion:)`.
    ///
    /// - Parameters:
    ///   - received: called with each value. The first value may arrive while the completion still runs.
    ///   - ended: called once after the last value, with nil after `close`, otherwise with the error. Not called if the
    ///     completion got an error.
    ///   - completion: gets the notifications, or the error.
    public func acquireNotify(
        received: @escaping @BluetoothActor (Data) -> Void,
        ended: @escaping @BluetoothActor (BluetoothError?) -> Void,
        completion: @escaping @BluetoothActor (AcquiredNotifications?, BluetoothError?) -> Void
    ) {
        let empty = EventSequence<Data>.Buffer(limit: 1)
        empty.finish(nil)
        startAcquiringNotify(empty, received: received, ended: ended) { $0.split(completion) }
    }

    /// Switches notifications on through a separate socket; the async form of
    /// `acquireNotify(received:ended:completion:)`. The result is the sequence of the values. It ends after `close`,
    /// and throws when the link ends. Without a consumer, the notifications end.
    ///
    /// - Parameter limit: how many values are buffered for a slow consumer. If there are more, the notifications end
    ///   and the sequence throws `BluetoothError.Code.overflow`.
    public func acquireNotify(
        bufferingUpTo limit: Int = 4096
    ) async throws(BluetoothError) -> AcquiredNotifications {
        let buffer = EventSequence<Data>.Buffer(limit: limit)
        return try await AsyncBridge.wait { completion in
            startAcquiringNotify(buffer, received: { buffer.append($0) }, ended: { buffer.finish($0) }, completion)
        }
    }

    /// Opens a socket for writes without response, for many values per second; see `AcquiredWriter`.
    ///
    /// The operation fails with `busy` if another socket is open, in this program or another, with `notSupported` if
    /// the characteristic cannot be written without response, and with the codes of `setNotifyValue(_:completion:)`.
    ///
    /// - Parameters:
    ///   - ended: called once when the writer ends, with nil after `close`, otherwise with the error. Not called if the
    ///     completion got an error.
    ///   - completion: gets the writer, or the error.
    public func acquireWrite(
        ended: @escaping @BluetoothActor (BluetoothError?) -> Void,
        completion: @escaping @BluetoothActor (AcquiredWriter?, BluetoothError?) -> Void
    ) {
        startAcquiringWrite(ended) { $0.split(completion) }
    }

    /// Opens a socket for writes without response; the async form of `acquireWrite(ended:completion:)`. When the writer
    /// has ended, `isOpen` is false, and the next write fails.
    public func acquireWrite() async throws(BluetoothError) -> AcquiredWriter {
        try await AsyncBridge.wait { startAcquiringWrite({ _ in }, $0) }
    }

    @discardableResult
    private func startAcquiringNotify(
        _ buffer: EventSequence<Data>.Buffer,
        received: @escaping @BluetoothActor (Data) -> Void,
        ended: @escaping @BluetoothActor (BluetoothError?) -> Void,
        _ completion: @escaping @BluetoothActor (Result<AcquiredNotifications, BluetoothError>) -> Void
    ) -> AttributeOperation<AcquiredNotifications> {
        let request = acquire("Acquiring the notifications of", "AcquireNotify", ended, completion) { [self] socket in
            if !buffer.isFinished { buffer.whenEnded { [weak lifetime = socket.lifetime] in lifetime?.succeed(()) } }
            return AcquiredNotifications(self, AcquiredReader(socket, received: received), buffer)
        }
        guard !isNotifying else {
            let text = "\(request.title): notifications are on; switch them off first"
            return request.start(unless: BluetoothError(.busy, text))
        }
        let isPossible = !isDiscovered || !properties.isDisjoint(with: [.notify, .indicate])
        return request.start(unless: isPossible ? nil : Self.notPossible(request.title))
    }

    @discardableResult
    private func startAcquiringWrite(
        _ ended: @escaping @BluetoothActor (BluetoothError?) -> Void,
        _ completion: @escaping @BluetoothActor (Result<AcquiredWriter, BluetoothError>) -> Void
    ) -> AttributeOperation<AcquiredWriter> {
        let request = acquire("Acquiring the writes of", "AcquireWrite", ended, completion) { [self] socket in
            let limit = peripheral?.central?.attributeTimeout ?? Timeouts.attribute
            return AcquiredWriter(self, socket, stallLimit: limit)
        }
        let isPossible = !isDiscovered || properties.contains(.writeWithoutResponse)
        return request.start(unless: isPossible ? nil : Self.notPossible(request.title))
    }

    private static func notPossible(_ title: String) -> BluetoothError {
        BluetoothError(.notSupported, "\(title): the characteristic does not support it")
    }

    private func acquire<Value>(
        _ verb: String,
        _ member: String,
        _ ended: @escaping @BluetoothActor (BluetoothError?) -> Void,
        _ completion: @escaping @BluetoothActor (Result<Value, BluetoothError>) -> Void,
        make: @escaping @BluetoothActor (AcquiredSocket) -> Value
    ) -> AttributeOperation<Value> {
        AttributeOperation<Value>(verb, .notify, of: self, completion: .result(completion)) {
            (_, path) throws(DBusError) in
            let message = try BlueZ.call(path, BlueZ.gattCharacteristic, member)
            try message.write { (writer) throws(DBusError) in try writer.append(.properties([:])) }
            return message
        } take: { [weak self] (request, reply) throws(DBusError) in
            var reader = try reply.get().reader
            guard let self, let central = self.peripheral?.central else { throw .disconnected() }
            let socket = try AcquiredSocket(
                &reader,
                lifetime: Operation<Void>(
                    "\(verb) \(self.name)", on: self.path, needsConnection: true, limit: nil, in: central.operations
                ) { ended($0.failure) },
                client: central.client)
            request.succeed(make(socket))
        }
    }
}
