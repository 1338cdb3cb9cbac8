import BlueZPrintableText

/// A value of a JSON text, with the line where it begins.
package struct JSONNode: Sendable {
    package enum Content: Sendable {
        case object([JSONMember])
        case array([JSONNode])
        case string(String)
        /// As written, which may be too large for any type.
        case number(String)
        case boolean(Bool)
        case null
    }

    package var content: Content
    package var line: Int

    package init(content: Content, line: Int) {
        self.content = content
        self.line = line
    }

    /// For messages: what it is.
    package var summary: String {
        switch content {
        case .object: "an object"
        case .array: "a list"
        case .string(let text): Self.quoted(text)
        case .number(let digits): Self.shortened(digits)
        case .boolean(let value): "\(value)"
        case .null: "null"
        }
    }

    package func error(_ message: String) -> FileError { FileError(line, message) }

    /// The value is not what it should be.
    package func error(wanted: String) -> FileError { error("Expected \(wanted), found \(summary)") }

    /// The value of a key of an object. Nil if there is none, if it is null, and for what isn't an object.
    package subscript(_ key: String) -> JSONNode? {
        guard case .object(let members) = content, let node = members.first(where: { $0.key == key })?.value else {
            return nil
        }
        if case .null = node.content { return nil }
        return node
    }

    /// The elements of a list; none for anything else.
    package var elements: [JSONNode] { if case .array(let nodes) = content { nodes } else { [] } }

    /// Text of the file in quotation marks, in one line of reasonable length.
    package static func quoted(_ text: String) -> String { "\"\(shortened(text))\"" }

    private static func shortened(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(40)
        let isWhole = start.endIndex == text.unicodeScalars.endIndex
        return String(start).escapedForTerminal() + (isWhole ? "" : "...")
    }
}

/// A key of an object with its value.
package struct JSONMember: Sendable {
    package var key: String
    /// That of the key.
    package var line: Int
    package var value: JSONNode
}
