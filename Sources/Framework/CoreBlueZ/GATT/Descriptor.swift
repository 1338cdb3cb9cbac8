import BlueZClient
import BlueZDBus
import FoundationEssentials

/// A descriptor of a characteristic, such as its user description (0x2901). `Characteristic.discoverDescriptors` finds
/// it.
@BluetoothActor public final class Descriptor {
    /// The UUID that identifies the kind of descriptor.
    public let uuid: BluetoothUUID

    /// The characteristic of the descriptor; nil if the characteristic was released.
    public internal(set) weak var characteristic: Characteristic?

    /// The value that was last read; nil before that.
    public var value: Data? { lastValue }

    package var lastValue: Data?
    let path: ObjectPath

    init(uuid: BluetoothUUID, path: ObjectPath, characteristic: Characteristic) {
        self.uuid = uuid
        self.path = path
        self.characteristic = characteristic
    }

    /// The descriptor's ATT handle, or 0 if the descriptor is gone.
    public var handle: UInt16 { characteristic?.client?.mirror.descriptors[path]?.handle ?? 0 }

    /// Reads the value from the peripheral. It fails with the codes of `Characteristic.readValue(completion:)`, and
    /// with `attributeGone` rather than `notDiscovered` if the descriptor is gone.
    public func readValue(completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void) {
        startReading(.value(completion))
    }

    /// Writes the value, with a response. It fails with the codes of `Characteristic.writeValue(_:type:completion:)`.
    ///
    /// - Parameters:
    ///   - value: up to 512 bytes.
    ///   - completion: gets nil when the peripheral has confirmed the write, or the error: `notPermitted` for the
    ///     client characteristic configuration (0x2902), which bluetoothd writes itself for
    ///     `Characteristic.setNotifyValue(_:completion:)`.
    public func writeValue(_ value: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startWriting(value, .error(completion))
    }

    /// Reads the value; the async form of `readValue(completion:)`.
    @discardableResult
    public func readValue() async throws(BluetoothError) -> Data {
        try await AsyncBridge.wait { startReading(.result($0)) }
    }

    /// Writes the value; the async form of `writeValue(_:completion:)`.
    public func writeValue(_ value: Data) async throws(BluetoothError) {
        try await AsyncBridge.wait { startWriting(value, .result($0)) }
    }

    /// Writes one byte, with a response. Like `writeValue(_:completion:)`.
    public func writeByte(_ byte: UInt8, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        writeValue(Data([byte]), completion: completion)
    }

    /// Writes one byte, with a response; the async form of `writeByte(_:completion:)`.
    public func writeByte(_ byte: UInt8) async throws(BluetoothError) {
        try await writeValue(Data([byte]))
    }

    @discardableResult
    private func startWriting(_ value: Data, _ completion: Operation<Void>.Completion) -> AttributeOperation<Void> {
        let request = AttributeOperation<Void>("Writing", .write, of: self, completion: completion) {
            (_, path) throws(DBusError) in
            let message = try BlueZ.call(path, BlueZ.gattDescriptor, "WriteValue")
            try message.write { (writer) throws(DBusError) in
                try writer.append([UInt8](value))
                try writer.append(.properties([:]))
            }
            return message
        }
        return request.start(unless: refusal(of: value, request.title))
    }

    func refusal(of value: Data, _ title: @autoclosure () -> String) -> BluetoothError? {
        if uuid == .clientConfiguration {
            return BluetoothError(
                .notPermitted, "\(title()): bluetoothd writes it itself if notifications are requested")
        }
        guard value.count > 512 else { return nil }
        return BluetoothError(.valueTooLong, "\(title()): \(value.count) bytes, but at most 512 can be written")
    }
}

extension Descriptor: Attribute {
    package static var interface: String { BlueZ.gattDescriptor }
    package var label: String { "descriptor \(uuid) of \(characteristic?.name ?? "a characteristic that is gone")" }
    package var deviceName: String? { characteristic?.peripheral?.displayName }
    package var device: (path: ObjectPath, context: RequestContext)? { characteristic?.peripheral?.device }
    package var boundPath: ObjectPath? { characteristic?.client?.mirror.descriptors[path] == nil ? nil : path }

    package func unboundError(_ title: String) -> BluetoothError {
        BluetoothError(.attributeGone, "\(title): it is gone; discover again")
    }

    package func readCall(_ path: ObjectPath) throws(DBusError) -> Message {
        let message = try BlueZ.call(path, BlueZ.gattDescriptor, "ReadValue")
        try message.write { (writer) throws(DBusError) in try writer.append(.properties([:])) }
        return message
    }
}

extension Descriptor: Hashable, Identifiable {
    /// Returns whether both are the same object.
    public nonisolated static func == (left: Descriptor, right: Descriptor) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
