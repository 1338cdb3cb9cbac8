extension MessageWriter {
    /// Appends any value.
    ///
    /// - Throws: `DBusError` if the value is inconsistent: an element with another type than that of its array, a
    ///   string with U+0000, an empty structure, or an invalid signature.
    public mutating func append(_ value: Value) throws(DBusError) {
        switch value {
        case .byte(let value): try append(value)
        case .boolean(let value): try append(value)
        case .int16(let value): try append(value)
        case .uint16(let value): try append(value)
        case .int32(let value): try append(value)
        case .uint32(let value): try append(value)
        case .int64(let value): try append(value)
        case .uint64(let value): try append(value)
        case .double(let value): try append(value)
        case .string(let value): try append(value)
        case .objectPath(let value): try append(value)
        case .signature(let value): try append(signature: value)
        case .fileDescriptor(let value): try append(value)
        case .bytes(let value): try append(value)
        case .array(let elements, let values): try appendElements(of: elements, values)
        case .dictionary(let key, let value, let entries): try appendEntries(key, value, entries)
        case .structure(let fields):
            try appendStructure { (writer) throws(DBusError) in
                for field in fields { try writer.append(field) }
            }
        case .variant(let value):
            try appendVariant(value.signature) { (writer) throws(DBusError) in try writer.append(value) }
        }
    }

    private mutating func appendElements(of signature: String, _ values: [Value]) throws(DBusError) {
        try appendArray(of: signature) { (writer) throws(DBusError) in
            for value in values { try writer.append(value) }
        }
    }

    private mutating func appendEntries(
        _ key: String,
        _ value: String,
        _ entries: [Value: Value]
    ) throws(DBusError) {
        try appendArray(of: "{\(key)\(value)}") { (writer) throws(DBusError) in
            for (name, content) in entries {
                try writer.appendEntry { (entry) throws(DBusError) in
                    try entry.append(name)
                    try entry.append(content)
                }
            }
        }
    }
}
