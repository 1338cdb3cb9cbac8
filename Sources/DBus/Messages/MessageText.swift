/// A text inside a message, such as the name of a property: compared where it is, and a `String` only if somebody wants one.
public struct MessageText {
    private let contents: MessageContents
    private let text: WireBytes.Text

    init(_ contents: MessageContents, _ text: WireBytes.Text) {
        self.contents = contents
        self.text = text
    }

    /// The text.
    public var string: String { contents.string(text) }

    /// Whether both are the same text, byte for byte.
    public static func == (left: MessageText, right: StaticString) -> Bool { left.contents.isEqual(left.text, right) }

    /// Whether both are the same text, byte for byte.
    @_disfavoredOverload
    public static func == (left: MessageText, right: String) -> Bool { left.contents.isEqual(left.text, right) }

    /// Lets a `switch` over a text have literals as its cases.
    public static func ~= (literal: StaticString, text: MessageText) -> Bool { text == literal }

    /// Lets a `switch` over a text have names as its cases.
    @_disfavoredOverload
    public static func ~= (name: String, text: MessageText) -> Bool { text == name }
}
