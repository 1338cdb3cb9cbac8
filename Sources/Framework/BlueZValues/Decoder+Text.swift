extension Decoder {
    /// Reads a value that is encoded as text.
    ///
    /// - Parameters:
    ///   - kind: what the text should be, for the error: "a UUID".
    ///   - parse: returns the value, or nil for other text.
    package func readText<Value>(_ kind: String, _ parse: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        if let value = parse(text) { return value }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not \(kind)")
    }
}
