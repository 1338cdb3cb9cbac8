extension MessageReader {
    /// Reads the next value, of any type, as a tree.
    public mutating func readValue() throws(DBusError) -> Value {
        switch code {
        case UInt8(ascii: "y"): .byte(try readByte())
        case UInt8(ascii: "b"): .boolean(try readBoolean())
        case UInt8(ascii: "n"): .int16(try readInt16())
        case UInt8(ascii: "q"): .uint16(try readUInt16())
        case UInt8(ascii: "i"): .int32(try readInt32())
        case UInt8(ascii: "u"): .uint32(try readUInt32())
        case UInt8(ascii: "x"): .int64(try readInt64())
        case UInt8(ascii: "t"): .uint64(try readUInt64())
        case UInt8(ascii: "d"): .double(try readDouble())
        case UInt8(ascii: "s"): .string(try readString())
        case UInt8(ascii: "o"): .objectPath(try readObjectPath())
        case UInt8(ascii: "g"): .signature(try readSignature())
        case UInt8(ascii: "h"): .fileDescriptor(try readFileDescriptor())
        case UInt8(ascii: "v"): .variant(try readVariant { (inner) throws(DBusError) in try inner.readValue() })
        case UInt8(ascii: "("):
            .structure(try readStructure { (fields) throws(DBusError) in try fields.readRemainingValues() })
        case UInt8(ascii: "a"): try readArrayValue()
        default:
            throw .invalidArguments("Expected a value in the message, found \(isAtEnd ? "nothing" : "'\(signature)'")")
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
