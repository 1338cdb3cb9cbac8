import BlueZPrintableText

/// Writes a value of JSON that is safe to print: as a line, or in several with the members of the value, and objects in
/// lists, in lines of their own.
package struct JSONOutput {
    /// The text, without a line feed at the end.
    package private(set) var bytes: [UInt8] = []
    private let isReadable: Bool
    private var isFirst = true
    /// How many objects and lists have begun.
    private var (depth, lists) = (0, 0)

    package init(isReadable: Bool = false) { self.isReadable = isReadable }

    /// Returns what `endObject` needs.
    package mutating func beginObject() -> Bool {
        defer { isFirst = true }
        bytes.append(UInt8(ascii: "{"))
        depth += 1
        return isFirst
    }

    package mutating func endObject(_ isOuterFirst: Bool) {
        depth -= 1
        if isReadable, depth == 0 { bytes.append(UInt8(ascii: "\n")) }
        bytes.append(UInt8(ascii: "}"))
        isFirst = isOuterFirst
    }

    /// What begins a line: four blanks for each list, and for the value.
    private var lineStart: [UInt8] {
        [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: 4 * lists + 4)
    }

    package mutating func add<Value>(_ key: String, _ value: Value, _ field: JSONField<Value>) {
        begin(key)
        field.write(value, &self)
    }

    package mutating func add(_ members: [JSONMember]) {
        for member in members {
            begin(member.key)
            append(json: member.value.content)
        }
    }

    private mutating func begin(_ key: String) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        if isReadable { bytes += depth == 1 ? lineStart : isFirst ? [] : [UInt8(ascii: " ")] }
        isFirst = false
        append(key)
        bytes.append(UInt8(ascii: ":"))
        if isReadable { bytes.append(UInt8(ascii: " ")) }
    }

    // MARK: Values

    package mutating func list<Element>(_ elements: [Element], _ write: (Element, inout JSONOutput) -> Void) {
        bytes.append(UInt8(ascii: "["))
        lists += 1
        var hasObjects = false
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let start = bytes.count
            write(element, &self)
            guard isReadable else { continue }
            hasObjects = bytes[start] == UInt8(ascii: "{")
            bytes.insert(contentsOf: hasObjects ? lineStart : index > 0 ? [UInt8(ascii: " ")] : [], at: start)
        }
        lists -= 1
        if hasObjects { bytes += lineStart }
        bytes.append(UInt8(ascii: "]"))
    }

    package mutating func append(number: some BinaryInteger) {
        bytes += "\(number)".utf8
    }

    package mutating func append(raw: String) {
        bytes += raw.utf8
    }

    /// Appends a string with everything escaped that a terminal, or a program that splits lines, would interpret.
    package mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            default:
                guard scalar.isUnsafeToPrint else {
                    bytes += String(scalar).utf8
                    continue
                }
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    bytes += "\\u\(String(hexadecimal: unit, digits: 4))".utf8
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(json content: JSONNode.Content) {
        switch content {
        case .object(let members):
            let isOuterFirst = beginObject()
            add(members)
            endObject(isOuterFirst)
        case .array(let nodes): list(nodes) { node, output in output.append(json: node.content) }
        case .string(let text): append(text)
        case .number(let digits): append(raw: digits)
        case .boolean(let flag): append(raw: "\(flag)")
        case .null: append(raw: "null")
        }
    }
}
