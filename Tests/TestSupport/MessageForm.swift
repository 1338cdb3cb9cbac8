/// The form of a message that a program shows: it begins with a capital, has no full stop at its end, and avoids the
/// phrases that CONTRIBUTING.md replaces. `Scripts/check messages` looks at the literals in the same way.
public enum MessageForm {
    private static let phrases = [
        "any more", "give up", "given up", "for good", "without a word", "one's own", "so already", " tells ", " told ",
    ]

    /// What is wrong with the form of a message; nil if it is right.
    public static func fault(in message: String) -> String? {
        guard let first = message.first, let last = message.last else { return "it is empty" }
        if !first.isUppercase, !first.isNumber, first != "\"" { return "it does not begin with a capital" }
        if ".:;,! \n".contains(last) { return "it ends with \"\(last)\"" }
        return phrases.first(where: message.lowercased().contains).map { "it says \"\($0)\"" }
    }
}
