import BlueZPrintableText
import BlueZValues

/// Writes one JSON object as a line that is safe to print, in the order of the calls. What is nil or empty is left out.
struct EventLine {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]
    private var isFirst = true

    /// The line, without a line feed.
    mutating func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    // MARK: Members

    mutating func add(_ key: String, _ text: String?) {
        if let text { member(key) { line in line.append(text) } }
    }

    mutating func add(_ key: String, _ number: Int64?) {
        if let number { member(key) { line in line.bytes += "\(number)".utf8 } }
    }

    mutating func add(_ key: String, _ flag: Bool?) {
        if let flag { member(key) { line in line.bytes += "\(flag)".utf8 } }
    }

    mutating func add(_ key: String, bytes value: (some Collection<UInt8>)?) {
        if let value { add(key, String(hexadecimal: value)) }
    }

    /// Adds a number that is written as it is.
    mutating func add(_ key: String, number: String) {
        member(key) { line in line.bytes += number.utf8 }
    }

    mutating func add<Element>(
        _ key: String, _ elements: [Element]?, _ write: (Element, inout EventLine) -> Void
    ) {
        guard let elements else { return }
        member(key) { line in line.list(elements, write) }
    }

    mutating func add(_ key: String, object write: (inout EventLine) -> Void) {
        member(key) { line in line.object(write) }
    }

    mutating func add(_ key: String, json node: JSONContent) {
        member(key) { line in line.append(json: node) }
    }

    private mutating func member(_ key: String, _ write: (inout EventLine) -> Void) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        append(key)
        bytes.append(UInt8(ascii: ":"))
        write(&self)
    }

    // MARK: Values

    mutating func object(_ write: (inout EventLine) -> Void) {
        let outer = isFirst
        isFirst = true
        bytes.append(UInt8(ascii: "{"))
        write(&self)
        bytes.append(UInt8(ascii: "}"))
        isFirst = outer
    }

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
}
