import BlueZPrintableText

/// A value of a JSON text, with the line where it begins.
public struct JSONNode: Sendable {
    /// What it is.
    public enum Content: Sendable {
        /// Its keys differ.
        case object([JSONMember])
        /// A list.
        case array([JSONNode])
        /// Text without its quotation marks and escapes.
        case string(String)
        /// As written, which may be too large for any type.
        case number(String)
        /// `true` or `false`.
        case boolean(Bool)
        /// `null`.
        case null
    }

    /// The value.
    public var content: Content
    /// The number of the line, from 1 on.
    public var line: Int

    /// Creates a value.
    public init(content: Content, line: Int) {
        self.content = content
        self.line = line
    }

    /// For messages: what it is.
    public var summary: String {
        switch content {
        case .object: "an object"
        case .array: "a list"
        case .string(let text): Self.quoted(text)
        case .number(let digits): Self.shortened(digits)
        case .boolean(let value): "\(value)"
        case .null: "null"
        }
    }

    /// Returns the error of this value.
    public func error(_ message: String) -> FileError { FileError(line, message) }

    /// Returns the error of a value that is not what it should be.
    public func error(wanted: String) -> FileError { error("Expected \(wanted), found \(summary)") }

    /// The value of a key of an object. Nil if there is none, if it is null, and for what isn't an object.
    public subscript(_ key: String) -> JSONNode? {
        guard case .object(let members) = content, let node = members.first(where: { $0.key == key })?.value else {
            return nil
        }
        if case .null = node.content { return nil }
        return node
    }

    /// The elements of a list; none for anything else.
    public var elements: [JSONNode] { if case .array(let nodes) = content { nodes } else { [] } }

    /// Text of the file in quotation marks, in one line of reasonable length.
    public static func quoted(_ text: String) -> String { "\"\(shortened(text))\"" }

    private static func shortened(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(40)
        let isWhole = start.endIndex == text.unicodeScalars.endIndex
        return String(start).escapedForTerminal() + (isWhole ? "" : "...")
    }
}

/// A key of an object with its value.
public struct JSONMember: Sendable {
    /// The key.
    public var key: String
    /// The line of the key.
    public var line: Int
    /// The value.
    public var value: JSONNode
}
