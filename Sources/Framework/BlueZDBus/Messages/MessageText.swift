/// A text inside a message, such as the name of a property. It is compared in place, and converted to a `String` only
/// if necessary.
public struct MessageText {
    private let contents: MessageContents
    private let text: WireBytes.Text

    init(_ contents: MessageContents, _ text: WireBytes.Text) {
        self.contents = contents
        self.text = text
    }

    /// The text as a string.
    public var string: String { contents.string(text) }

    /// Returns whether both are the same text, byte for byte.
    public static func == (left: MessageText, right: StaticString) -> Bool { left.contents.isEqual(left.text, right) }

    /// Returns whether both are the same text, byte for byte.
    @_disfavoredOverload
    public static func == (left: MessageText, right: String) -> Bool { left.contents.isEqual(left.text, right) }

    /// Lets a `switch` over a text use literals as its cases.
    public static func ~= (literal: StaticString, text: MessageText) -> Bool { text == literal }

    /// Lets a `switch` over a text use names as its cases.
    @_disfavoredOverload
    public static func ~= (name: String, text: MessageText) -> Bool { text == name }
}
