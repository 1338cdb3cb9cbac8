extension MessageReader {
    /// Reads the next value, whatever it is, as a tree.
    public mutating func readValue() throws(DBusError) -> Value {
        switch typeCode {
        case TypeCode.byte: .byte(try readByte())
        case TypeCode.boolean: .boolean(try readBoolean())
        case TypeCode.int16: .int16(try readInt16())
        case TypeCode.uint16: .uint16(try readUInt16())
        case TypeCode.int32: .int32(try readInt32())
        case TypeCode.uint32: .uint32(try readUInt32())
        case TypeCode.int64: .int64(try readInt64())
        case TypeCode.uint64: .uint64(try readUInt64())
        case TypeCode.double: .double(try readDouble())
        case TypeCode.string: .string(try readString())
        case TypeCode.objectPath: .objectPath(try readObjectPath())
        case TypeCode.signature: .signature(try readSignature())
        case TypeCode.fileDescriptor: .fileDescriptor(try readFileDescriptor())
        case TypeCode.variant: .variant(try readVariant { (inner) throws(DBusError) in try inner.readValue() })
        case TypeCode.structure:
            .structure(try readStructure { (fields) throws(DBusError) in try fields.readRemainingValues() })
        case TypeCode.array: try readArrayValue()
        case let code:
            throw .invalidArguments("Expected a value in the message, found \(TypeCode.name(code))")
        }
    }

    /// Reads all remaining values at this level.
    public mutating func readRemainingValues() throws(DBusError) -> [Value] {
        var values: [Value] = []
        while !isAtEnd { values.append(try readValue()) }
        return values
    }

    private mutating func readArrayValue() throws(DBusError) -> Value {
        let signature = signature
        if signature == "ay" { return .bytes(try readBytes()) }
        let elements = String(signature.dropFirst())
        guard elements.hasPrefix("{") else {
            var values: [Value] = []
            try readArray { (element) throws(DBusError) in values.append(try element.readValue()) }
            return .array(elements: elements, values)
        }
        var entries: [Value: Value] = [:]
        try readDictionary { (entry) throws(DBusError) in
            let key = try entry.readValue()
            entries[key] = try entry.readValue()
        }
        let types = elements.dropFirst().dropLast()
        return .dictionary(key: String(types.prefix(1)), value: String(types.dropFirst()), entries)
    }
}
