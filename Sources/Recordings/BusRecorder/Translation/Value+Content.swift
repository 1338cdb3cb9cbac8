import BlueZDBus
import BlueZValues
import FoundationEssentials

/// The properties of an interface, by their names.
typealias Properties = [String: Value]

extension MessageReader {
    /// Reads `a{sv}`.
    mutating func readPropertyValues() throws(DBusError) -> Properties {
        var properties: Properties = [:]
        try readProperties { (name, value) throws(DBusError) in properties[name] = try value.readValue() }
        return properties
    }
}

extension Value {
    var text: String? {
        switch self {
        case .string(let text): text
        case .objectPath(let path): path.string
        default: nil
        }
    }

    var flag: Bool? {
        guard case .boolean(let flag) = self else { return nil }
        return flag
    }

    var bytes: [UInt8]? {
        guard case .bytes(let bytes) = self else { return nil }
        return bytes
    }

    var number: Int? {
        switch self {
        case .byte(let number): Int(number)
        case .int16(let number): Int(number)
        case .uint16(let number): Int(number)
        case .int32(let number): Int(number)
        case .uint32(let number): Int(number)
        default: nil
        }
    }

    /// The texts of an array of strings or paths.
    var texts: [String]? {
        guard case .array(_, let elements) = self else { return nil }
        return elements.compactMap(\.text)
    }

    var uuids: [BluetoothUUID]? { texts?.compactMap { BluetoothUUID($0) } }

    /// The bytes of a dictionary whose values are byte arrays in variants.
    func dataByKey<Key: Hashable>(_ key: (Value) -> Key?) -> [Key: Data]? {
        guard case .dictionary(_, _, let entries) = self else { return nil }
        var result: [Key: Data] = [:]
        for (name, value) in entries {
            if let key = key(name), let bytes = value.unwrapped.bytes { result[key] = Data(bytes) }
        }
        return result
    }
}
