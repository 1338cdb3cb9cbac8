import BlueZClient
import DBus
import FoundationEssentials

/// A descriptor of a characteristic.
@BluetoothActor public final class Descriptor {
    /// The descriptor's UUID.
    public let uuid: BluetoothUUID

    /// The characteristic that has the descriptor.
    public internal(set) weak var characteristic: Characteristic?

    /// The value that was last read; nil before the first read.
    public var value: Data? { lastValue }

    package var lastValue: Data?
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
        startReading(.value(completion))
    }

    /// Writes the value, with a response.
    ///
    /// - Parameters:
    ///   - value: up to 512 bytes.
    ///   - completion: gets nil, or the error. Writing the client characteristic configuration (0x2902) fails with
    ///     `notPermitted`: bluetoothd writes it itself, for `Characteristic.setNotifyValue(_:completion:)`.
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

    /// Writes one byte, with a response.
    public func writeByte(_ byte: UInt8, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        writeValue(Data([byte]), completion: completion)
    }

    /// Writes one byte, with a response; the async form of `writeByte(_:completion:)`.
    public func writeByte(_ byte: UInt8) async throws(BluetoothError) {
        try await writeValue(Data([byte]))
    }

    @discardableResult
    private func startWriting(_ value: Data, _ completion: Operation<Void>.Completion) -> AttributeRequest<Void> {
        let request = AttributeRequest<Void>("Writing", .write, of: self, completion: completion) {
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
        if uuid == 0x2902 {
            return BluetoothError(.notPermitted, "\(title()): bluetoothd writes it itself; use setNotifyValue")
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
    /// Whether both are the same object.
    public nonisolated static func == (left: Descriptor, right: Descriptor) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
