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

/// An error in a file, with its place.
package struct FileError: Error, Equatable {
    package var line: Int
    package var message: String

    package init(_ line: Int, _ message: String) {
        self.line = line
        self.message = message
    }
}
