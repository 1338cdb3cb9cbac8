import BlueZDBus
import BlueZPrintableText

/// The mirrored properties of a service, characteristic or descriptor. The mirror keeps the three kinds apart.
package struct AttributeProperties: Equatable {
    package var uuid: BluetoothUUID?
    package var isPrimary = true
    package var flags: CharacteristicProperties = []
    package var mtu: Int?
    /// The attribute's handle, from its path. The `Handle` property exists only from 5.69 on, and was wrong for
    /// descriptors before 5.80.
    package let handle: UInt16

    init(path: ObjectPath) {
        var handle: UInt64? = 0
        for digit in path.lastComponent.utf8.suffix(4) {
            handle = handle.flatMap { handle in digit.hexadecimalDigit.map { handle << 4 | UInt64($0) } }
        }
        self.handle = UInt16(truncatingIfNeeded: handle ?? 0)
    }

    /// Applies one property. Unknown ones are left unread.
    mutating func apply(_ name: MessageText, _ reader: inout MessageReader) throws(DBusError) {
        switch name {
        case "UUID": uuid = BluetoothUUID(try reader.readString())
        case "Primary": isPrimary = try reader.readBoolean()
        case "Flags": flags = try CharacteristicProperties(flags: &reader)
        case "MTU": mtu = Int(try reader.readUInt16())
        default: break
        }
    }
}

extension CharacteristicProperties {
    /// Reads the flags. Unknown ones are skipped, and those for encryption and authorization never occur on a remote
    /// attribute.
    init(flags reader: inout MessageReader) throws(DBusError) {
        var bits: UInt16 = 0
        try reader.readArray { (element) throws(DBusError) in
            let flag = try element.readText()
            if let index = Self.flagNames.firstIndex(where: { flag == $0 }) { bits |= 1 << UInt16(index) }
        }
        self.init(rawValue: bits)
    }
}
