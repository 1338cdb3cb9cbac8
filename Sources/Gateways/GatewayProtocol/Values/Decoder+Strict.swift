extension Decoder {
    package func corrupted(_ description: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: description))
    }
}

extension KeyedDecodingContainer {
    /// Returns a string of at most this many bytes, without NUL, which D-Bus does not allow; nil if the key is missing.
    package func text(_ key: Key, limit: Int) throws -> String? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        let text = try decode(String.self, forKey: key)
        guard text.utf8.count <= limit, !text.utf8.contains(0) else {
            throw corrupted(key, "the text is longer than \(limit) bytes, or contains NUL")
        }
        return text
    }

    /// Returns the bytes of an attribute or of AD structures; nil if the key is missing.
    package func bytes(_ key: Key, limit: Int) throws -> [UInt8]? {
        guard let value = try decodeIfPresent(Hexadecimal.self, forKey: key) else { return nil }
        guard value.bytes.count <= limit else { throw corrupted(key, "there are more than \(limit) bytes") }
        return value.bytes
    }

    package func corrupted(_ key: Key, _ description: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: description)
    }
}
