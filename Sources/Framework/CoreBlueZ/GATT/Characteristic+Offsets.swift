import BlueZClient
import BlueZDBus
import FoundationEssentials

extension Characteristic {
    /// Reads the value from an offset on. `value` does not change, because the result is only a part.
    ///
    /// bluetoothd stores the part in its cached value, and returns its reply from there (src/gatt-client.c:
    /// chrc_read_cb). If the cached value is longer than the current one, the reply ends with old bytes. `readValue`
    /// clears the cache.
    ///
    /// bluetoothd before 5.60 ignores the offset. If bluetoothd may be that old (it does not report the link's MTU, as
    /// before 5.62), the whole value is read, and its beginning is removed here.
    ///
    /// The operation fails with `invalidArguments` if the offset is not 0 to 512, with `att` or `invalidArguments` and
    /// the ATT error `ATTError.invalidOffset` if the value is shorter, and with the codes of `readValue(completion:)`.
    ///
    /// - Parameters:
    ///   - offset: how many bytes to skip: 0 to 512.
    ///   - completion: gets the rest of the value, or the error.
    public func readValue(
        fromOffset offset: Int,
        completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void
    ) {
        startReading(from: offset, .value(completion))
    }

    /// Reads the value from an offset on; the async form of `readValue(fromOffset:completion:)`.
    public func readValue(fromOffset offset: Int) async throws(BluetoothError) -> Data {
        try await AsyncBridge.wait { startReading(from: offset, .result($0)) }
    }

    /// Writes a part of the value from an offset on. The peripheral decides what happens to the bytes after the part.
    ///
    /// The operation fails with `notSupported` if the type is `withoutResponse`, with `invalidArguments` if the offset
    /// is not 0 to 512, with `valueTooLong` if the part ends beyond 512 bytes, and with the codes of
    /// `writeValue(_:type:completion:)`.
    ///
    /// - Parameters:
    ///   - value: the part. It ends at byte 512 or before.
    ///   - offset: the index of the part's first byte in the value.
    ///   - type: `withResponse` or `reliable`. Writes without response have no offset.
    ///   - completion: gets nil when the peripheral has confirmed the write, or the error.
    public func writeValue(
        _ value: Data,
        atOffset offset: Int,
        type: CharacteristicWriteType = .withResponse,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startWriting(value, at: offset, type, .error(completion))
    }

    /// Writes a part of the value; the async form of `writeValue(_:atOffset:type:completion:)`.
    public func writeValue(
        _ value: Data,
        atOffset offset: Int,
        type: CharacteristicWriteType = .withResponse
    ) async throws(BluetoothError) {
        try await AsyncBridge.wait { startWriting(value, at: offset, type, .result($0)) }
    }

    @discardableResult
    private func startWriting(
        _ value: Data,
        at offset: Int,
        _ type: CharacteristicWriteType,
        _ completion: Operation<Void>.Completion
    ) -> AttributeOperation<Void> {
        let request = AttributeOperation.writing(
            value, to: self, at: offset, ["type": .string(type.bluezName)], completion)
        return request.start(unless: partRefusal(of: value, offset, type, request.title))
    }

    private func partRefusal(
        of value: Data, _ offset: Int, _ type: CharacteristicWriteType, _ title: @autoclosure () -> String
    ) -> BluetoothError? {
        if type == .withoutResponse {
            return BluetoothError(
                .notSupported, "\(title()): without response there are no offsets; write with response")
        }
        return refusal(of: value, type, title()) ?? AttributeOffset.refusal(of: offset, value.count, title())
    }
}

extension Descriptor {
    /// Reads the value from an offset on. `value` does not change, because the result is only a part.
    ///
    /// The parameters and errors are those of `Characteristic.readValue(fromOffset:completion:)`.
    public func readValue(
        fromOffset offset: Int,
        completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void
    ) {
        startReading(from: offset, .value(completion))
    }

    /// Reads the value from an offset on; the async form of `readValue(fromOffset:completion:)`.
    public func readValue(fromOffset offset: Int) async throws(BluetoothError) -> Data {
        try await AsyncBridge.wait { startReading(from: offset, .result($0)) }
    }

    /// Writes a part of the value, with a response.
    ///
    /// The parameters and errors are those of `Characteristic.writeValue(_:atOffset:type:completion:)`.
    public func writeValue(
        _ value: Data,
        atOffset offset: Int,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startWriting(value, at: offset, .error(completion))
    }

    /// Writes a part of the value; the async form of `writeValue(_:atOffset:completion:)`.
    public func writeValue(_ value: Data, atOffset offset: Int) async throws(BluetoothError) {
        try await AsyncBridge.wait { startWriting(value, at: offset, .result($0)) }
    }

    @discardableResult
    private func startWriting(
        _ value: Data, at offset: Int, _ completion: Operation<Void>.Completion
    ) -> AttributeOperation<Void> {
        let request = AttributeOperation.writing(value, to: self, at: offset, [:], completion)
        return request.start(
            unless: refusal(of: value, request.title) ?? AttributeOffset.refusal(of: offset, value.count, request.title)
        )
    }
}

extension Attribute {
    /// Reads the value from an offset on. Before 5.60 bluetoothd returns the whole value, whatever the offset
    /// (src/gatt-client.c: chrc_read_cb, desc_read_cb). It does not report its version, but one that reports MTUs is at
    /// least 5.62.
    @discardableResult
    fileprivate func startReading(
        from offset: Int, _ completion: Operation<Data>.Completion
    ) -> AttributeOperation<Data> {
        var isWhole = false
        let request = AttributeOperation<Data>("Reading", .read, of: self, completion: completion) {
            [self] (_, path) throws(DBusError) in
            isWhole = device?.context.mirror.reportsMTUs != true
            if isWhole { return try readCall(path) }
            let message = try BlueZ.call(path, Self.interface, "ReadValue")
            try message.write { (writer) throws(DBusError) in
                try writer.append(.properties(["offset": .uint16(UInt16(clamping: offset))]))
            }
            return message
        } take: { (request, reply) throws(DBusError) in
            let value = try reply.get().firstBytes()
            guard isWhole else { return request.succeed(value) }
            // The error that bluetoothd returns for such an offset.
            guard offset <= value.count else { throw .bluez(ATTError.invalidOffset.bluezError) }
            request.succeed(Data(value.dropFirst(offset)))
        }
        return request.start(unless: AttributeOffset.refusal(of: offset, 0, request.title))
    }
}

/// The limits of offsets.
private enum AttributeOffset {
    /// Returns the error for an offset that bluetoothd or the attribute cannot accept.
    static func refusal(of offset: Int, _ count: Int, _ title: @autoclosure () -> String) -> BluetoothError? {
        guard (0...512).contains(offset) else {
            return BluetoothError(
                .invalidArguments, "\(title()): the offset is \(offset), but values have 0 to 512 bytes")
        }
        guard offset + count > 512 else { return nil }
        let text = "\(count) bytes at offset \(offset), but a value has at most 512 bytes"
        return BluetoothError(.valueTooLong, "\(title()): \(text)")
    }
}

extension AttributeOperation where Value == Void {
    /// Creates a write request, without starting it.
    fileprivate static func writing(
        _ value: Data, to attribute: any Attribute, at offset: Int, _ options: [String: BlueZDBus.Value],
        _ completion: Completion
    ) -> AttributeOperation {
        AttributeOperation("Writing", .write, of: attribute, completion: completion) {
            (attribute, path) throws(DBusError) in
            let message = try BlueZ.call(path, type(of: attribute).interface, "WriteValue")
            var options = options
            options["offset"] = .uint16(UInt16(clamping: offset))
            try message.write { (writer) throws(DBusError) in
                try writer.append([UInt8](value))
                try writer.append(.properties(options))
            }
            return message
        }
    }
}
