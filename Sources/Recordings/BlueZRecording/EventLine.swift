import BlueZJSONLine
import BlueZPrintableText
import BlueZValues

/// Writes JSON as a line that is safe to print.
struct EventLine {
    /// The line, without a line feed.
    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    /// Returns what ends it again.
    mutating func beginObject() -> Bool {
        defer { isFirst = true }
        bytes.append(UInt8(ascii: "{"))
        return isFirst
    }

    mutating func endObject(_ isOuterFirst: Bool) {
        bytes.append(UInt8(ascii: "}"))
        isFirst = isOuterFirst
    }

    mutating func add<Value>(_ key: String, _ value: Value, _ field: EventField<Value>) {
        begin(key)
        field.write(value, &self)
    }

    mutating func add(_ members: [JSONMember]) {
        for member in members {
            begin(member.key)
            append(json: member.value.content)
        }
    }

    private mutating func begin(_ key: String) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        append(key)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: Values

    mutating func list<Element>(_ elements: [Element], _ write: (Element, inout EventLine) -> Void) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(element, &self)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func append(number: some BinaryInteger) {
        bytes += "\(number)".utf8
    }

    mutating func append(raw: String) {
        bytes += raw.utf8
    }

    /// Appends a string with everything escaped that a terminal, or a program that splits lines, would interpret.
    mutating func append(_ text: String) {
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
        case .array(let nodes): list(nodes) { node, line in line.append(json: node.content) }
        case .string(let text): append(text)
        case .number(let digits): append(raw: digits)
        case .boolean(let flag): append(raw: "\(flag)")
        case .null: append(raw: "null")
        }
    }
}
