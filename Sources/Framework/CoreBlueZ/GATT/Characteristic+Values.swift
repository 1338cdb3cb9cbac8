import BlueZClient
import BlueZDBus
import FoundationEssentials

extension Characteristic {
    /// Reads the value from the peripheral, whatever its length.
    ///
    /// The operation fails with these codes, in addition to those of every operation (see ``Peripheral``):
    /// - `notConnected` or `disconnected` if there is no link, or the link ends.
    /// - `notDiscovered` or `attributeGone` if the characteristic is not discovered, or is gone.
    /// - `notPermitted` if the characteristic is not readable.
    /// - `insufficientSecurity` if the peripheral requires pairing.
    /// - `notAuthorized`, `notSupported` or `att` if the peripheral responds with another error. See
    ///   `BluetoothError.attError`.
    /// - `busy` if another program keeps accessing the characteristic.
    /// - `timedOut` if there is no response within `CentralManager.attributeTimeout`, or the request was not sent
    ///   within `CentralManager.queueTimeout`.
    ///
    /// - Parameter completion: gets the value, or the error.
    public func readValue(completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void) {
        startReading(.value(completion))
    }

    /// Writes the value.
    ///
    /// The operation fails with these codes, in addition to those of `readValue(completion:)` and of every operation
    /// (see ``Peripheral``):
    /// - `valueTooLong` if the value is longer than `maximumWriteValueLength(for:)`.
    /// - `notPermitted` if the characteristic cannot be written this way, or is a client characteristic configuration.
    /// - `invalidArguments` if the peripheral rejects the value's length.
    /// - `busy` if an `AcquiredWriter` of this or another program is open.
    /// - `failed` if the peripheral has received other bytes than were sent by a reliable write.
    ///
    /// - Parameters:
    ///   - value: up to 512 bytes, or up to `maximumWriteValueLength(for:)` without response.
    ///   - type: the type of the write; `withResponse` by default.
    ///   - completion: gets nil when the peripheral has confirmed the write or, without response, when bluetoothd has
    ///     queued the value.
    public func writeValue(
        _ value: Data,
        type: CharacteristicWriteType = .withResponse,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startWriting(value, type, .error(completion))
    }

    /// Writes one byte, with a response. Like `writeValue(_:type:completion:)`.
    public func writeByte(_ byte: UInt8, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        writeValue(Data([byte]), completion: completion)
    }

    /// Reads the value; the async form of `readValue(completion:)`.
    @discardableResult
    public func readValue() async throws(BluetoothError) -> Data {
        try await AsyncBridge.wait { startReading(.result($0)) }
    }

    /// Writes the value; the async form of `writeValue(_:type:completion:)`.
    public func writeValue(
        _ value: Data,
        type: CharacteristicWriteType = .withResponse
    ) async throws(BluetoothError) {
        try await AsyncBridge.wait { startWriting(value, type, .result($0)) }
    }

    /// Writes one byte with a response; the async form of `writeByte(_:completion:)`.
    public func writeByte(_ byte: UInt8) async throws(BluetoothError) {
        try await writeValue(Data([byte]))
    }

    @discardableResult
    func startWriting(
        _ value: Data,
        _ type: CharacteristicWriteType,
        _ completion: Operation<Void>.Completion
    ) -> AttributeOperation<Void> {
        let request = AttributeOperation<Void>("Writing", .write, of: self, completion: completion) {
            [self] (_, path) throws(DBusError) in
            try writeCall(path, value, type)
        }
        return request.start(unless: refusal(of: value, type, request.title))
    }

    /// Returns an error for writes that bluetoothd would truncate, drop silently, or reject.
    func refusal(
        of value: Data, _ type: CharacteristicWriteType, _ title: @autoclosure () -> String
    ) -> BluetoothError? {
        if uuid == .clientConfiguration {
            return BluetoothError(
                .notPermitted, "\(title()): bluetoothd writes it itself if notifications are requested")
        }
        // A request is sent despite the flags, because the peripheral's response may be more permissive. A command has
        // no response: bluetoothd sends it whatever the flags are, and nothing would show that it was dropped.
        let commands: CharacteristicProperties = [.writeWithoutResponse, .authenticatedSignedWrites]
        if type == .withoutResponse, isDiscovered, properties.isDisjoint(with: commands) {
            return BluetoothError(.notPermitted, "\(title()): it takes no writes without response; write with response")
        }
        let limit = isDiscovered ? maximumWriteValueLength(for: type) : 512
        guard value.count > limit else { return nil }
        return BluetoothError(
            .valueTooLong, "\(title()): \(value.count) bytes, but at most \(limit) can be written this way")
    }

    private func writeCall(
        _ path: ObjectPath, _ value: Data, _ type: CharacteristicWriteType
    ) throws(DBusError) -> Message {
        let message = try writeCall(path)
        try message.write { (writer) throws(DBusError) in
            try writer.append([UInt8](value))
            // Without the option, bluetoothd chooses by the flags (src/gatt-client.c: characteristic_write_value).
            try writer.appendArray(of: "{sv}") { (options) throws(DBusError) in
                try options.appendEntry { (option) throws(DBusError) in
                    try option.append("type")
                    try option.appendVariant("s") { (value) throws(DBusError) in try value.append(type.bluezName) }
                }
            }
        }
        return message
    }
}

extension Characteristic: Attribute, ValueSubscriber {
    package static var interface: String { BlueZ.gattCharacteristic }
    package var label: String { name }
    var peripheral: Peripheral? { service?.peripheral }
    package var deviceName: String? { peripheral?.displayName }
    package var device: (path: ObjectPath, context: RequestContext)? { peripheral?.device }
    package var boundPath: ObjectPath? { path }

    package func unboundError(_ title: String) -> BluetoothError {
        let reason = placeholder?.absence ?? "discover the services first, or the peripheral does not have it"
        return BluetoothError(.notDiscovered, "\(title): \(reason)")
    }
}
