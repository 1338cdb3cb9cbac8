extension MessageReader {
    /// Reads an array's elements by calling `body` once for each with a reader on it.
    public mutating func readArray(
        _ body: (inout MessageReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try expect("a")
        var elements = try entered()
        let typesEnd = wire.endOfType(at: elements.type)
        while !elements.isAtEnd {
            var element = MessageReader(contents, at: elements.offset, type: elements.type, typesEnd: typesEnd)
            try body(&element)
            elements.advance(to: element.end)
        }
        advance(to: elements.offset)
    }

    /// Reads any dictionary. `body` gets a reader on the key and value of each entry.
    public mutating func readDictionary(
        _ body: (inout MessageReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try expectArray(of: "{", "a dictionary")
        var entries = try entered()
        while !entries.isAtEnd { try entries.readEntry(body) }
        advance(to: entries.offset)
    }

    /// Reads a dictionary with string keys and variant values, `a{sv}`. `body` gets each name, and a reader on the
    /// value inside the variant.
    public mutating func readProperties(
        _ body: (String, inout MessageReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try readVariants { (name, value) throws(DBusError) in try body(name.string, &value) }
    }

    /// Reads a dictionary with string keys and variant values, `a{sv}`, as `readProperties` does, but without creating
    /// strings for the names.
    public mutating func readVariants(
        _ body: (MessageText, inout MessageReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try expect("a")
        let types = WireBytes.Text(start: type + 1, count: 4)
        guard contents.isEqual(types, "{sv}" as StaticString) else {
            throw .invalidArguments("Expected a{sv} in the message, found '\(signature)'")
        }
        guard let entries = wire.elements(at: offset, type: UInt8(ascii: "{")) else { throw truncated }
        let end = entries.start + entries.count
        var position = entries.start
        while position < end {
            guard let name = wire.text(at: WireBytes.align(position, to: 8)),
                let signature = wire.signature(at: name.start + name.count + 1)
            else { throw truncated }
            let typesEnd = signature.start + signature.count
            var value = MessageReader(contents, at: typesEnd + 1, type: signature.start, typesEnd: typesEnd)
            try body(MessageText(contents, name), &value)
            position = value.end
        }
        advance(to: end, typeLength: 1 + types.count)
    }

    /// Returns a reader on the elements of an array or the entries of a dictionary, for callers that read a few at a
    /// time.
    public mutating func enterArray() throws(DBusError) -> MessageReader {
        try expect("a")
        let elements = try entered()
        skip()
        return elements
    }

    /// Reads one entry of a dictionary that was entered by `enterArray`.
    public mutating func readEntry(
        _ body: (inout MessageReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try expect("{")
        var entry = grouped()
        try body(&entry)
        advance(to: entry.end)
    }

    /// Reads a structure. `body` gets a reader on its fields.
    public mutating func readStructure<R>(
        _ body: (inout MessageReader) throws(DBusError) -> R
    ) throws(DBusError) -> R {
        try expect("(")
        var fields = grouped()
        let result = try body(&fields)
        advance(to: fields.end)
        return result
    }

    /// Reads a variant. `body` gets a reader on the value inside it.
    public mutating func readVariant<R>(
        _ body: (inout MessageReader) throws(DBusError) -> R
    ) throws(DBusError) -> R {
        try expect("v")
        guard let signature = wire.signature(at: offset) else { throw truncated }
        let end = signature.start + signature.count
        var value = MessageReader(contents, at: end + 1, type: signature.start, typesEnd: end)
        let result = try body(&value)
        advance(to: value.end)
        return result
    }

    /// A reader on the elements of the next array.
    private func entered() throws(DBusError) -> MessageReader {
        guard let elements = wire.elements(at: offset, type: wire.byte(at: type + 1)) else { throw truncated }
        return MessageReader(
            contents, at: elements.start, type: type + 1, typesEnd: type + 1,
            elementsEnd: elements.start + elements.count)
    }

    /// A reader on the fields of the next structure or entry.
    private func grouped() -> MessageReader {
        let typesEnd = wire.endOfType(at: type) - 1
        return MessageReader(contents, at: WireBytes.align(offset, to: 8), type: type + 1, typesEnd: typesEnd)
    }

    /// The end of this level. Values that `body` left unread are skipped.
    private var end: Int {
        mutating get {
            while !isAtEnd { skip() }
            return offset
        }
    }
}
