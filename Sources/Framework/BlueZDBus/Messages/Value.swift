/// Any value that D-Bus can carry, as a tree. `MessageReader` reads bodies of a known shape without it.
public indirect enum Value: Hashable, Sendable {
    /// `y`
    case byte(UInt8)
    /// `b`
    case boolean(Bool)
    /// `n`
    case int16(Int16)
    /// `q`
    case uint16(UInt16)
    /// `i`
    case int32(Int32)
    /// `u`
    case uint32(UInt32)
    /// `x`
    case int64(Int64)
    /// `t`
    case uint64(UInt64)
    /// `d`
    case double(Double)
    /// `s`: UTF-8 without U+0000.
    case string(String)
    /// `o`
    case objectPath(ObjectPath)
    /// `g`
    case signature(String)
    /// `h`
    case fileDescriptor(UnixFileDescriptor)
    /// `ay`, in one piece.
    case bytes([UInt8])
    /// `a` with the signature of the elements, which is needed if there are none.
    case array(elements: String, [Value])
    /// `a{..}` with the signatures of key and value.
    case dictionary(key: String, value: String, [Value: Value])
    /// `(..)`
    case structure([Value])
    /// `v`
    case variant(Value)

    /// The value's signature, such as `a{sv}`.
    public var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .fileDescriptor: "h"
        case .bytes: "ay"
        case .array(let elements, _): "a" + elements
        case .dictionary(let key, let value, _): "a{\(key)\(value)}"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }

    /// `as`
    public static func strings(_ strings: [String]) -> Value {
        .array(elements: "s", strings.map(Value.string))
    }

    /// `a{sv}`: the type of options and properties.
    public static func properties(_ properties: [String: Value]) -> Value {
        var entries: [Value: Value] = [:]
        for (name, value) in properties { entries[.string(name)] = .variant(value) }
        return .dictionary(key: "s", value: "v", entries)
    }

    /// The value inside, if this is a variant; otherwise the value itself.
    public var unwrapped: Value {
        if case .variant(let value) = self { return value.unwrapped }
        return self
    }
}
