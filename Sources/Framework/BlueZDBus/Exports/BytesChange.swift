import CBlueZDBus
import FoundationEssentials

/// `PropertiesChanged` for one property with the type `ay`, to one peer, which needs no match rule.
///
/// Appending containers to a message is most of what sending it costs. So libdbus writes the signal once, with an empty
/// value. From then on, the bytes before and after the value are copied, and libdbus reads and checks the whole.
@safe package final class BytesChange {
    /// The object whose property changes.
    package let path: ObjectPath
    /// The peer.
    package let destination: String
    /// The bytes up to the value. Its length is in the last four.
    private var start: [UInt8]
    private let headerLength: Int
    /// The offset of the length of the array of properties.
    private let length: Int

    /// The array of invalidated properties: none.
    private static let end: [UInt8] = [0, 0, 0, 0]
    // The length of the body and the serial in a header (D-Bus Specification, "Message Format").
    private static let bodyLength = 4
    private static let serial = 8

    /// Creates the signal for the property of an interface.
    ///
    /// - Throws: `DBusError` if a name is not valid.
    package init(
        of property: String, _ interface: String, at path: ObjectPath, destination: String
    ) throws(DBusError) {
        self.path = path
        self.destination = destination
        let message = try Message.signal(
            path: path, interface: StandardInterface.properties, member: "PropertiesChanged")
        try message.setDestination(destination)
        try message.write { (writer) throws(DBusError) in
            try writer.append(interface)
            try writer.appendArray(of: "{sv}") { (writer) throws(DBusError) in
                try writer.appendEntry { (entry) throws(DBusError) in
                    try entry.append(property)
                    try entry.appendVariant("ay") { (value) throws(DBusError) in try value.append([]) }
                }
            }
            try writer.append(Value.strings([]))
        }
        let bytes = try message.marshalled()
        start = bytes.dropLast(Self.end.count)
        headerLength = bytes.count - message.bodySize.count
        length = Self.aligned(headerLength + 4 + interface.utf8.count + 1, to: 4)
        // libdbus reads no message without a serial.
        put(1, at: Self.serial, of: &start)
    }

    /// Returns the signal with this value.
    func message(_ value: Data) throws(DBusError) -> Message {
        guard value.count <= BodySize.arrayLength - start.count else {
            throw .invalidArguments("A D-Bus array cannot have \(value.count) bytes; 64 MiB is the limit")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(start.count + value.count + 2 * Self.end.count)
        bytes += start
        bytes += value
        put(value.count, at: start.count - 4, of: &bytes)
        put(bytes.count - Self.aligned(length + 4, to: 8), at: length, of: &bytes)
        while bytes.count % 4 > 0 { bytes.append(0) }
        bytes += Self.end
        put(bytes.count - headerLength, at: Self.bodyLength, of: &bytes)
        return try Message.unmarshalled(bytes)
    }

    /// Puts a number in the byte order in which libdbus has written, which the first byte says.
    private func put(_ number: Int, at index: Int, of bytes: inout [UInt8]) {
        let isLittleEndian = bytes[0] == UInt8(ascii: "l")
        for place in 0..<4 {
            bytes[index + (isLittleEndian ? place : 3 - place)] = UInt8(truncatingIfNeeded: number >> (8 * place))
        }
    }

    private static func aligned(_ index: Int, to alignment: Int) -> Int {
        (index + alignment - 1) / alignment * alignment
    }
}

extension Connection {
    /// Sends the signal with a value.
    ///
    /// - Throws: `DBusError` if the value has more than about 64 MiB, or the connection is closed.
    package func emit(_ change: BytesChange, _ value: Data) throws(DBusError) { try send(change.message(value)) }
}
