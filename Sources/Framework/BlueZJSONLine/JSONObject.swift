/// A value that is an object of JSON, and lists its keys.
package protocol JSONObject: Sendable {
    /// Creates a value without any keys. What must be there is anything.
    init()
    /// Reads, writes or changes the keys.
    mutating func code(_ keys: inout JSONKeys)
}

extension JSONObject {
    /// Reads a value.
    ///
    /// - Parameter kind: what it is, for messages.
    package init(_ node: JSONNode, _ kind: String) throws(FileError) {
        self = try JSONKeys.read(node, kind, into: Self()) { value, keys in value.code(&keys) }
    }

    package func write(to output: inout JSONOutput) {
        JSONKeys.write(self, to: &output) { value, keys in value.code(&keys) }
    }
}

extension JSONField where Value: JSONObject {
    package static func object(_ kind: String) -> JSONField { .object(kind, Value()) { $0.code(&$1) } }
}
