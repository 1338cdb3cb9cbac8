import BlueZDBus

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
