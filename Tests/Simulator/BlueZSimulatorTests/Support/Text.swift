import BlueZDBus
import BlueZPrintableText

/// A path without what all have in common.
func short(_ path: String) -> String {
    let prefix = "/org/bluez/hci0/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
}

/// A value as one short line.
func text(_ value: Value) -> String {
    switch value {
    case .byte(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .int16(let value): "\(value)"
    case .uint16(let value): "\(value)"
    case .int32(let value): "\(value)"
    case .uint32(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .uint64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value.hasPrefix("org.bluez.") ? String(value.dropFirst(10)) : value
    case .objectPath(let path): short(path.string)
    case .signature(let value): value
    case .fileDescriptor: "descriptor"
    case .bytes(let bytes): "0x" + String(hexadecimal: bytes)
    case .array(_, let values): "[" + values.map(text).joined(separator: ",") + "]"
    case .dictionary(_, _, let entries):
        "{" + entries.map { text($0.key) + "=" + text($0.value) }.sorted().joined(separator: ",") + "}"
    case .structure(let fields): "(" + fields.map(text).joined(separator: ",") + ")"
    case .variant(let value): text(value)
    }
}

extension Value {
    /// The entry of a dictionary with string or path keys.
    subscript(_ key: String) -> Value? {
        guard case .dictionary(_, _, let entries) = self.unwrapped else { return nil }
        if let value = entries[.string(key)] { return value.unwrapped }
        guard let path = try? ObjectPath(key) else { return nil }
        return entries[.objectPath(path)]?.unwrapped
    }

    /// A dictionary's keys as text, sorted.
    var keys: [String] {
        guard case .dictionary(_, _, let entries) = self.unwrapped else { return [] }
        return entries.keys.map(text).sorted()
    }
}
