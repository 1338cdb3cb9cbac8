/// A name or another short text of a message. In JSON it is a string. Decoding refuses more than `GatewayLimits.name`
/// bytes of UTF-8, and NUL, which D-Bus does not allow.
package struct ShortText: Hashable, Sendable {
    package let string: String

    /// Creates a text. What is longer is truncated.
    package init(_ string: String) {
        self.string = string.prefix(bytes: GatewayLimits.name)
    }
}

extension ShortText: Codable {
    package init(from decoder: any Decoder) throws {
        string = try String(from: decoder)
        guard string.utf8.count <= GatewayLimits.name, !string.utf8.contains(0) else {
            throw decoder.corrupted("the text is longer than \(GatewayLimits.name) bytes, or contains NUL")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try string.encode(to: encoder)
    }
}

extension String {
    /// Returns the first characters that fit into this many bytes of UTF-8.
    package func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var result = ""
        for character in self {
            guard result.utf8.count + character.utf8.count <= limit else { break }
            result.append(character)
        }
        return result
    }
}
