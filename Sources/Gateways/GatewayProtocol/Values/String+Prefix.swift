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
