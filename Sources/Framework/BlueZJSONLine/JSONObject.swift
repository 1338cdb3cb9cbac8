/// A value that is an object of JSON, and lists its keys.
public protocol JSONObject: Sendable {
    /// Creates a value without any keys. What must be there is anything.
    init()
    /// Reads, writes or changes the keys.
    mutating func code(_ keys: inout JSONKeys)
}

extension JSONObject {
    /// Reads a value.
    ///
    /// - Parameter kind: what it is, for messages.
    @inlinable public init(_ node: JSONNode, _ kind: String) throws(FileError) {
        self = try JSONKeys.read(node, kind, into: Self()) { value, keys in value.code(&keys) }
    }

    /// Writes the value.
    @inlinable public func write(to output: inout JSONOutput) {
        JSONKeys.write(self, to: &output) { value, keys in value.code(&keys) }
    }
}

extension JSONField where Value: JSONObject {
    /// An object.
    ///
    /// - Parameter kind: what it is, for messages.
    @inlinable public static func object(_ kind: String) -> JSONField { .object(kind, Value()) { $0.code(&$1) } }
}
