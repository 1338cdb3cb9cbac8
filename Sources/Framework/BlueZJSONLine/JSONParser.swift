import FoundationEssentials

/// Reads JSON (RFC 8259) and keeps the line of each value. The keys of an object must differ, and objects and lists may
/// be nested 32 deep.
package struct JSONParser {
    private static let deepest = 32

    let bytes: [UInt8]
    var position = 0
    var line: Int
    /// How many values may follow.
    private var valuesLeft: Int
    /// The last key, for messages.
    private var lastKey: String?

    /// The values of a text: one, or several one after another, as in lines of JSON.
    ///
    /// - Parameters:
    ///   - firstLine: the number of the first line, if the text is part of a file.
    ///   - limit: how many values there may be, with those in objects and lists.
    package static func values(
        in data: some Sequence<UInt8>, firstLine: Int = 1, limit: Int = .max
    ) throws(FileError) -> [JSONNode] {
        var parser = JSONParser(bytes: [UInt8](data), line: firstLine, valuesLeft: limit)
        try parser.begin()
        var values: [JSONNode] = []
        while parser.next != nil {
            values.append(try parser.value(0))
            parser.skipBlanks()
        }
        return values
    }

    private init(bytes: [UInt8], line: Int, valuesLeft: Int) {
        self.bytes = bytes
        self.line = line
        self.valuesLeft = valuesLeft
    }

    /// Requires UTF-8, and skips a byte order mark.
    private mutating func begin() throws(FileError) {
        if String(validating: bytes, as: UTF8.self) == nil {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
            throw FileError((bad ?? 0) + line, "The text is not UTF-8")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipBlanks()
    }

    /// The next byte; nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips a byte if it is the next one.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            if byte == 0x0A { line += 1 }
            position += 1
        }
    }

    private mutating func value(_ depth: Int) throws(FileError) -> JSONNode {
        let start = line
        guard valuesLeft > 0 else { throw FileError(line, "The text has too many values\(place)") }
        valuesLeft -= 1
        let content: JSONNode.Content
        switch next {
        case UInt8(ascii: "{"): content = .object(try members(depth))
        case UInt8(ascii: "["): content = .array(try elements(depth))
        case UInt8(ascii: "\""): content = .string(try string())
        case UInt8(ascii: "t") where takeWord("true"): content = .boolean(true)
        case UInt8(ascii: "f") where takeWord("false"): content = .boolean(false)
        case UInt8(ascii: "n") where takeWord("null"): content = .null
        case let byte? where "-0123456789".utf8.contains(byte): content = .number(try number())
        default: throw unexpected("a value")
        }
        return JSONNode(content: content, line: start)
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    private mutating func members(_ depth: Int) throws(FileError) -> [JSONMember] {
        let outerKey = lastKey
        defer { lastKey = outerKey }
        try open(depth)
        var members: [JSONMember] = []
        var lines: [String: Int] = [:]
        if skip("}") { return members }
        while true {
            guard next == UInt8(ascii: "\"") else { throw unexpected("a key in quotation marks") }
            let start = line
            let key = try string()
            lastKey = key
            if let first = lines.updateValue(start, forKey: key) {
                throw FileError(start, "The object has the key \(JSONNode.quoted(key)) twice, first in line \(first)")
            }
            skipBlanks()
            guard skip(":") else { throw unexpected("a colon") }
            skipBlanks()
            members.append(JSONMember(key: key, line: start, value: try value(depth + 1)))
            guard try separator(before: "}") else { return members }
        }
    }

    private mutating func elements(_ depth: Int) throws(FileError) -> [JSONNode] {
        try open(depth)
        var elements: [JSONNode] = []
        if skip("]") { return elements }
        repeat { elements.append(try value(depth + 1)) } while try separator(before: "]")
        return elements
    }

    private mutating func open(_ depth: Int) throws(FileError) {
        guard depth < Self.deepest else {
            throw FileError(line, "Objects and lists are nested more than \(Self.deepest) deep\(place)")
        }
        position += 1
        skipBlanks()
    }

    /// Whether another element follows.
    private mutating func separator(before end: Unicode.Scalar) throws(FileError) -> Bool {
        skipBlanks()
        if skip(end) { return false }
        guard skip(",") else { throw unexpected("a comma or \(end)") }
        skipBlanks()
        guard next != UInt8(ascii: end) else { throw FileError(line, "Remove the comma before \(end)\(place)") }
        return true
    }

    private var place: String { lastKey.map { " after the key \(JSONNode.quoted($0))" } ?? "" }

    func unexpected(_ wanted: String) -> FileError {
        guard next != nil else { return FileError(line, "Expected \(wanted)\(place), found the end of the file") }
        let character = String(decoding: bytes[position...].prefix(4), as: UTF8.self).unicodeScalars.prefix(1)
        return FileError(line, "Expected \(wanted)\(place), found \(JSONNode.quoted(String(character)))")
    }
}
