/// The form of a message that a program shows: it begins with a capital and has no full stop at its end.
public enum MessageForm {
    /// What is wrong with the form of a message; nil if it is right.
    public static func fault(in message: String) -> String? {
        guard let first = message.first, let last = message.last else { return "it is empty" }
        if !first.isUppercase, !first.isNumber, first != "\"" { return "it does not begin with a capital" }
        return ".:;,! \n".contains(last) ? "it ends with \"\(last)\"" : nil
    }
}
