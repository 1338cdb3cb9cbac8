import BlueZPrintableText

/// Writes a value of JSON that is safe to print: as a line, or in several with the members of the value, and objects in
/// lists, in lines of their own.
public struct JSONOutput {
    /// The text, without a line feed at the end.
    public var bytes: [UInt8] { buffer }
    @usableFromInline var buffer: [UInt8] = []
    @usableFromInline let isReadable: Bool
    private var isFirst = true
    /// How many objects and lists have begun.
    private var depth = 0
    @usableFromInline var lists = 0

    /// Creates an output without anything.
    ///
    /// - Parameter isReadable: whether it has several lines; false by default.
    public init(isReadable: Bool = false) { self.isReadable = isReadable }

    /// Begins an object. Returns what `endObject` needs.
    public mutating func beginObject() -> Bool {
        defer { isFirst = true }
        // Most lines have fewer bytes, and need not grow.
        if buffer.isEmpty { buffer.reserveCapacity(256) }
        buffer.append(UInt8(ascii: "{"))
        depth += 1
        return isFirst
    }

    /// Ends an object.
    public mutating func endObject(_ isOuterFirst: Bool) {
        depth -= 1
        if isReadable, depth == 0 { buffer.append(UInt8(ascii: "\n")) }
        buffer.append(UInt8(ascii: "}"))
        isFirst = isOuterFirst
    }

    /// What begins a line: four blanks for each list, and for the value.
    @usableFromInline var lineStart: [UInt8] {
        [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: 4 * lists + 4)
    }

    /// Adds a member to the object that has begun.
    @inlinable public mutating func add<Value>(_ key: String, _ value: Value, _ field: JSONField<Value>) {
        begin(key)
        field.write(value, &self)
    }

    /// Adds members to the object that has begun.
    public mutating func add(_ members: [JSONMember]) {
        for member in members {
            begin(member.key)
            append(json: member.value.content)
        }
    }

    @usableFromInline mutating func begin(_ key: String) {
        if !isFirst { buffer.append(UInt8(ascii: ",")) }
        if isReadable { buffer += depth == 1 ? lineStart : isFirst ? [] : [UInt8(ascii: " ")] }
        isFirst = false
        append(key)
        buffer.append(UInt8(ascii: ":"))
        if isReadable { buffer.append(UInt8(ascii: " ")) }
    }

    // MARK: Values

    /// Adds a list.
    @inlinable public mutating func list<Element>(_ elements: [Element], _ write: (Element, inout JSONOutput) -> Void) {
        buffer.append(UInt8(ascii: "["))
        lists += 1
        var hasObjects = false
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            let start = buffer.count
            write(element, &self)
            guard isReadable else { continue }
            hasObjects = buffer[start] == UInt8(ascii: "{")
            buffer.insert(contentsOf: hasObjects ? lineStart : index > 0 ? [UInt8(ascii: " ")] : [], at: start)
        }
        lists -= 1
        if hasObjects { buffer += lineStart }
        buffer.append(UInt8(ascii: "]"))
    }

    /// Adds a number.
    @inlinable public mutating func append(number: some BinaryInteger) {
        buffer += "\(number)".utf8
    }

    /// Adds a number, `true`, `false` or `null` as it is written.
    public mutating func append(raw: String) {
        buffer += raw.utf8
    }

    /// Appends a string with everything escaped that a terminal, or a program that splits lines, would interpret.
    public mutating func append(_ text: String) {
        buffer.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                buffer.append(UInt8(ascii: "\\"))
                buffer.append(UInt8(truncatingIfNeeded: scalar.value))
            case " "..."~": buffer.append(UInt8(truncatingIfNeeded: scalar.value))
            default:
                guard scalar.isUnsafeToPrint else {
                    buffer += String(scalar).utf8
                    continue
                }
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    buffer += "\\u\(String(hexadecimal: unit, digits: 4))".utf8
                }
            }
        }
        buffer.append(UInt8(ascii: "\""))
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
