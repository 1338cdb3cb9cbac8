extension Decoder {
    /// Reads a value that is coded as its text.
    ///
    /// - Parameters:
    ///   - kind: what the text is, for the error: "a UUID".
    ///   - parse: makes the value, or nil of another text.
    func readText<Value>(_ kind: String, _ parse: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        if let value = parse(text) { return value }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not \(kind)")
    }
}
