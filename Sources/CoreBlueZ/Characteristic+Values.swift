import DBus
import FoundationEssentials

extension Characteristic {
    /// Reads the value from the peripheral, however long it is.
    ///
    /// - Parameter completion: gets the value, or why it could not be read: `att` with the peripheral's code,
    ///   `notPermitted`, `insufficientSecurity`, `notDiscovered`, `disconnected`, `timedOut`.
    public func readValue(completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void) {
        startReading { result in
            switch result {
            case .success(let value): completion(value, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    /// Writes the value.
    ///
    /// - Parameters:
    ///   - value: up to 512 bytes with a response, up to `maximumWriteLength(for:)` without.
    ///   - type: with or without the peripheral's response.
    ///   - completion: gets nil once the peripheral has confirmed or, without response, bluetoothd has queued the
    ///     value.
    public func writeValue(
        _ value: Data,
        type: CharacteristicWriteType = .withResponse,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startWriting(value, type) { completion($0.failure) }
    }

    /// Writes one byte, with a response.
    public func writeByte(_ byte: UInt8, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        writeValue(Data([byte]), completion: completion)
    }

    @discardableResult
    func startReading(
        _ completion: @escaping @BluetoothActor (Result<Data, BluetoothError>) -> Void
    ) -> Operation<Data> {
        let operation: Operation<Data> = begin("Reading", completion)
        start(operation, .read) { [self] () throws(DBusError) in
            try readCall()
        } read: { [weak self] (reader) throws(DBusError) in
            let value = Data(try reader.readBytes())
            self?.didRead(value)
            return value
        }
        return operation
    }

    @discardableResult
    func startWriting(
        _ value: Data,
        _ type: CharacteristicWriteType,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let operation: Operation<Void> = begin("Writing", completion)
        if let error = refusal(of: value, type, operation.title) {
            BluetoothActor.later { operation.fail(error) }
            return operation
        }
        start(operation, .write) { [self] () throws(DBusError) in
            try writeCall(value, type)
        } read: { (_) throws(DBusError) in
        }
        return operation
    }

    /// What bluetoothd would do without a clear word: cut, drop, or forbid.
    private func refusal(of value: Data, _ type: CharacteristicWriteType, _ title: String) -> BluetoothError? {
        if uuid == 0x2902 {
            return BluetoothError(.notPermitted, "\(title): bluetoothd writes this itself; use setNotifyValue")
        }
        // A request gets the peripheral's own answer, which may be kinder than its flags. A command gets none:
        // bluetoothd sends it whatever the flags are, and nobody would know that it was dropped.
        let commands: CharacteristicProperties = [.writeWithoutResponse, .authenticatedSignedWrites]
        if type == .withoutResponse, isDiscovered, properties.isDisjoint(with: commands) {
            return BluetoothError(.notPermitted, "\(title): it takes no writes without response")
        }
        let limit = isDiscovered ? maximumWriteLength(for: type) : 512
        guard value.count > limit else { return nil }
        return BluetoothError(.valueTooLong, "\(title): \(value.count) bytes, but at most \(limit) can be written so")
    }

    private func writeCall(_ value: Data, _ type: CharacteristicWriteType) throws(DBusError) -> Message? {
        guard let path else { return nil }
        let message = try Message.methodCall(
            to: BlueZ.service, path: path, interface: BlueZ.gattCharacteristic, member: "WriteValue"
        )
        message.forbidAutoStart()
        try message.write { (writer) throws(DBusError) in
            try writer.append([UInt8](value))
            // Without the option bluetoothd picks one of the flags (src/gatt-client.c: characteristic_write_value).
            try writer.append(.properties(["type": .string(type == .withResponse ? "request" : "command")]))
        }
        return message
    }

    // MARK: Operations

    func begin<Value>(
        _ verb: String,
        _ completion: @escaping @BluetoothActor (Result<Value, BluetoothError>) -> Void
    ) -> Operation<Value> {
        let peripheral = service?.peripheral
        let central = peripheral?.central
        return Operation(
            "\(verb) \(name) of \(peripheral?.displayName ?? "a peripheral that is gone")", on: path,
            needsConnection: true, deadline: central?.attributeDeadline ?? Deadline.attribute,
            in: central?.operations ?? OperationRegistry(), completion: completion
        )
    }

    /// Queues a call behind the attribute's earlier ones.
    func start<Value>(
        _ operation: Operation<Value>,
        _ request: Request,
        _ build: @escaping @BluetoothActor () throws(DBusError) -> Message?,
        read: @escaping @BluetoothActor (inout MessageReader) throws(DBusError) -> Value
    ) {
        guard let (client, path) = target(operation) else { return }
        client.queue.enqueue(operation, at: path) {
            AttributeCall(
                operation: operation, client: client, path: path, request: request, build: build, read: read
            )
            .send()
        }
    }

    /// What an operation needs to begin. Where that is missing the operation fails, soon.
    func target<Value>(_ operation: Operation<Value>) -> (BlueZClient, ObjectPath)? {
        let error: BluetoothError
        if let peripheral = service?.peripheral, let client = peripheral.central?.client {
            if let path {
                if peripheral.isConnected { return (client, path) }
                error = BluetoothError(.notConnected, "\(operation.title): connect first")
            } else if !peripheral.isConnected {
                error = BluetoothError(.notConnected, "\(operation.title): connect and discover first")
            } else {
                error = BluetoothError(
                    .notDiscovered, "\(operation.title): it is not discovered, or the peripheral does not have it"
                )
            }
        } else {
            error = BluetoothError(.cancelled, "\(operation.title): its central manager is gone")
        }
        BluetoothActor.later { operation.fail(error) }
        return nil
    }
}
