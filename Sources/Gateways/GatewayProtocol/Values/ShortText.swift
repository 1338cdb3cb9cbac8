import BlueZJSONLine

/// A name or another short text of a message. In JSON it is a string. Reading refuses more than `GatewayLimits.name`
/// bytes of UTF-8, and NUL, which D-Bus does not allow.
package struct ShortText: Hashable, Sendable {
    package let string: String

    /// Creates a text. What is longer is truncated.
    package init(_ string: String) {
        self.string = string.prefix(bytes: GatewayLimits.name)
    }
}

extension JSONField<ShortText> {
    static var shortText: JSONField {
        let text = JSONField<String>.text(limit: GatewayLimits.name)
        return JSONField { node throws(FileError) in
            ShortText(try text.read(node))
        } write: { short, output in
            text.write(short.string, &output)
        }
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
