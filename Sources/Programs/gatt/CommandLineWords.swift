/// Splits a line into words, like the shell: quotation marks keep spaces together, a backslash takes the next character
/// literally, and a word that begins with # starts a comment.
enum CommandLineWords {
    /// The words; nil if a quotation mark is not closed or the line ends with a backslash.
    static func split(_ line: some StringProtocol) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Swift.Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let current = quote {
                if character == current { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else if character == "#", word == nil {
                break
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        if let word { words.append(word) }
        return words
    }
}
