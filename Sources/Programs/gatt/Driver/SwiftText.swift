import BlueZPrintableText

/// The lines of a Swift file, as swift-format writes them with a line length of 120.
struct SwiftText {
    private static let width = 120

    private(set) var lines: [String] = []
    private var indentation = ""

    /// The text of the file.
    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Adds a line.
    mutating func add(_ line: String) {
        lines.append(line.isEmpty ? "" : indentation + line)
    }

    /// Adds an empty line, unless something has just begun.
    mutating func addSpace() {
        if let last = lines.last, !last.isEmpty, !last.hasSuffix("{") { lines.append("") }
    }

    /// Adds a documentation comment, and breaks it between words.
    mutating func document(_ text: String) {
        var line = "///"
        for word in text.split(separator: " ") {
            if indentation.count + line.count + 1 + word.count > Self.width {
                add(line)
                line = "///"
            }
            line += " " + word
        }
        add(line)
    }

    /// Adds a head with a body in braces.
    mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
        add(head + " {")
        indented(body)
        add("}")
    }

    /// Adds a function with its body.
    ///
    /// - Parameters:
    ///   - head: what precedes the parameters.
    ///   - tail: what follows them, without the result.
    mutating func function(
        _ head: String, _ parameters: [String], _ tail: String = "", result: String? = nil,
        _ body: (inout SwiftText) -> Void
    ) {
        let arrow = result.map { " -> " + $0 } ?? ""
        let begin = "\(head)(\(parameters.joined(separator: ", ")))\(tail)"
        if fits("\(begin)\(arrow) {") {
            add("\(begin)\(arrow) {")
        } else if parameters.isEmpty {
            add(begin)
            indented { $0.add(String(arrow.dropFirst())) }
            add("{")
        } else {
            add(head + "(")
            indented { $0.list(parameters) }
            add(")\(tail)\(arrow) {")
        }
        indented(body)
        add("}")
    }

    /// Adds a call.
    mutating func call(_ head: String, _ arguments: [String]) {
        let line = "\(head)(\(arguments.joined(separator: ", ")))"
        guard !fits(line) else { return add(line) }
        add(head + "(")
        indented { text in
            text.list(arguments)
            text.lines[text.lines.count - 1] += ")"
        }
    }

    /// Adds an array of literals.
    mutating func list(_ head: String, _ elements: [String]) {
        let line = "\(head)[\(elements.joined(separator: ", "))]"
        guard !fits(line) else { return add(line) }
        add(head + "[")
        // swift-format adds no comma after a single element.
        let comma = elements.count > 1 ? "," : ""
        indented { text in
            for element in elements { text.add(element + comma) }
        }
        add("]")
    }

    /// Adds a property without a value.
    mutating func property(_ name: String, _ type: String) {
        let line = "var \(name): \(type)"
        guard !fits(line) else { return add(line) }
        add("var \(name):")
        indented { $0.add(type) }
    }

    /// Adds a case with a statement.
    mutating func option(_ pattern: String, _ statement: String) {
        let line = "case \(pattern): \(statement)"
        guard !fits(line) else { return add(line) }
        add("case \(pattern):")
        indented { $0.add(statement) }
    }

    // MARK: Lines

    private func fits(_ line: String) -> Bool { indentation.count + line.count <= Self.width }

    private mutating func indented(_ body: (inout SwiftText) -> Void) {
        indentation += "    "
        body(&self)
        indentation.removeLast(4)
    }

    /// Adds elements with commas between them, in as few lines as possible.
    private mutating func list(_ elements: [String]) {
        var line = ""
        for (index, element) in elements.enumerated() {
            let element = element + (index < elements.count - 1 ? "," : "")
            // The last line may get a parenthesis.
            if !line.isEmpty, !fits(line + " " + element + ")") {
                add(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + element
        }
        add(line)
    }
}

extension String {
    /// The text as a literal of Swift. Whatever it contains, it stays within the quotation marks, and within the line.
    var swiftLiteral: String {
        var literal = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\":
                literal += "\\"
                literal.unicodeScalars.append(scalar)
            case _ where scalar.isUnsafeToPrint: literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// The text in quotation marks for a comment: a single line, without characters that change how it is shown, and not
    /// too long for it.
    var swiftComment: String {
        let longest = 60
        let text = escapedForTerminal()
        return "\"\(text.count > longest ? String(text.prefix(longest)) + "…" : text)\""
    }
}
