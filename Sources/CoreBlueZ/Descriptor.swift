import DBus
import FoundationEssentials

/// A descriptor of a characteristic.
@BluetoothActor public final class Descriptor {
    /// The descriptor's UUID.
    public let uuid: BluetoothUUID

    /// The characteristic that has the descriptor.
    public internal(set) weak var characteristic: Characteristic?

    /// The value that was read last; nil before.
    public private(set) var value: Data?

    let path: ObjectPath

    init(uuid: BluetoothUUID, path: ObjectPath, characteristic: Characteristic) {
        self.uuid = uuid
        self.path = path
        self.characteristic = characteristic
    }

    /// The descriptor's handle.
    public var handle: UInt16 { characteristic?.client?.mirror.descriptors[path]?.handle ?? 0 }

    /// Reads the value from the peripheral.
    public func readValue(completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void) {
        startReading { result in
            switch result {
            case .success(let value): completion(value, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    /// Writes the value, with a response.
    ///
    /// - Parameter completion: gets nil, or why not. The client characteristic configuration (0x2902) is
    ///   `notPermitted`: bluetoothd writes it itself, by `Characteristic.setNotifyValue(_:completion:)`.
    public func writeValue(_ value: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startWriting(value) { completion($0.failure) }
    }

    /// Reads the value; the async twin of `readValue(completion:)`.
    @discardableResult
    public func readValue() async throws(BluetoothError) -> Data {
        try await AsyncBridge.wait { startReading($0) }
    }

    /// Writes the value; the async twin of `writeValue(_:completion:)`.
    public func writeValue(_ value: Data) async throws(BluetoothError) {
        try await AsyncBridge.wait { startWriting(value, $0) }
    }

    @discardableResult
    private func startReading(
        _ completion: @escaping @BluetoothActor (Result<Data, BluetoothError>) -> Void
    ) -> Operation<Data> {
        let operation: Operation<Data> = begin("Reading", completion)
        start(operation, .read, "ReadValue") { (writer) throws(DBusError) in
            try writer.append(.properties([:]))
        } read: { [weak self] (reader) throws(DBusError) in
            let value = Data(try reader.readBytes())
            self?.value = value
            return value
        }
        return operation
    }

    @discardableResult
    private func startWriting(
        _ value: Data,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation: Operation<Void> = begin("Writing", completion)
        guard uuid != 0x2902, value.count <= 512 else {
            let error =
                uuid == 0x2902
                ? BluetoothError(.notPermitted, "\(operation.title): bluetoothd writes it itself; use setNotifyValue")
                : BluetoothError(
                    .valueTooLong, "\(operation.title): \(value.count) bytes, but at most 512 can be written")
            BluetoothActor.later { operation.fail(error) }
            return operation
        }
        start(operation, .write, "WriteValue") { (writer) throws(DBusError) in
            try writer.append([UInt8](value))
            try writer.append(.properties([:]))
        } read: { (_) throws(DBusError) in
        }
        return operation
    }

    private func begin<Value>(
        _ verb: String,
        _ completion: @escaping @BluetoothActor (Result<Value, BluetoothError>) -> Void
    ) -> Operation<Value> {
        let central = characteristic?.service?.peripheral?.central
        return Operation(
            "\(verb) descriptor \(uuid) of \(characteristic?.name ?? "a characteristic that is gone")", on: path,
            needsConnection: true, deadline: central?.attributeDeadline ?? Deadline.attribute,
            in: central?.operations ?? OperationRegistry(), completion: completion
        )
    }

    private func start<Value>(
        _ operation: Operation<Value>,
        _ request: Request,
        _ member: String,
        write: @escaping @BluetoothActor (inout MessageWriter) throws(DBusError) -> Void,
        read: @escaping @BluetoothActor (inout MessageReader) throws(DBusError) -> Value
    ) {
        guard let peripheral = characteristic?.service?.peripheral, let client = peripheral.central?.client else {
            BluetoothActor.later { operation.fail(.cancelled(operation.title)) }
            return
        }
        guard peripheral.isConnected, client.mirror.descriptors[path] != nil else {
            let error =
                peripheral.isConnected
                ? BluetoothError(.attributeGone, "\(operation.title): it is gone; discover again")
                : BluetoothError(.notConnected, "\(operation.title): connect first")
            BluetoothActor.later { operation.fail(error) }
            return
        }
        client.queue.enqueue(operation, at: path) { [path] in
            AttributeCall(
                operation: operation,
                client: client,
                path: path,
                request: request,
                build: { () throws(DBusError) in
                    let message = try Message.methodCall(
                        to: BlueZ.service, path: path, interface: BlueZ.gattDescriptor, member: member
                    )
                    message.forbidAutoStart()
                    try message.write(write)
                    return message
                },
                read: read
            )
            .send()
        }
    }
}

extension Characteristic {
    /// Finds the descriptors of the characteristic.
    ///
    /// - Parameter completion: gets the descriptors by handle, or why they could not be found. bluetoothd has found
    ///   them together with the services.
    public func discoverDescriptors(completion: @escaping @BluetoothActor ([Descriptor]?, BluetoothError?) -> Void) {
        startDiscoveringDescriptors { result in
            switch result {
            case .success(let descriptors): completion(descriptors, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    @discardableResult
    func startDiscoveringDescriptors(
        _ completion: @escaping @BluetoothActor (Result<[Descriptor], BluetoothError>) -> Void
    ) -> Operation<[Descriptor]> {
        let operation: Operation<[Descriptor]> = begin("Discovering the descriptors of", completion)
        guard target(operation) != nil else { return operation }
        BluetoothActor.later { [self] in operation.succeed(bindDescriptors()) }
        return operation
    }
}
