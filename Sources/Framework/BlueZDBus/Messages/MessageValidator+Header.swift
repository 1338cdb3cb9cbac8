extension MessageValidator {
    /// Finds the header's fields, and validates them.
    func validateHeader(_ cache: HeaderCache?) throws(InvalidMessage) -> MessageContents.Header {
        guard let kind = Message.Kind(wire.byte(at: 1)) else { throw InvalidMessage("it is of no kind") }
        guard wire.byte(at: 3) == 1 else { throw InvalidMessage("its version of the protocol is not 1") }
        let bodySize = Int(try number(UInt32.self, at: 4))
        let fieldsEnd = 16 + Int(try number(UInt32.self, at: 12))
        let end = WireBytes.align(fieldsEnd, to: 8)
        guard end + bodySize == wire.count else { throw Self.truncated }
        if let known = cache?.header(of: wire, endingAt: end) { return known }
        let header = MessageContents.Header(kind)
        try validateFields(of: header, fieldsEnd)
        cache?.keep(header, of: wire)
        return header
    }

    private func validateFields(of header: MessageContents.Header, _ fieldsEnd: Int) throws(InvalidMessage) {
        var offset = 16
        // The fields found so far, with a bit for each code.
        var found = 0
        while offset < fieldsEnd {
            let field = try padded(offset, to: 8)
            let code = wire.byte(at: field)
            if code >= 1, code <= 10 {
                guard found & 1 << Int(code) == 0 else { throw InvalidMessage("a field of its header appears twice") }
                found |= 1 << Int(code)
                offset = try validateField(code, at: field + 1, header)
            } else {
                // Other codes are for later versions, and ignored. The depth is three: array, structure, variant.
                guard code != 0 else { throw InvalidMessage("a field of its header has no code") }
                let types = try signature(at: field + 1)
                guard unsafe wire.withBytes(types, WireRules.isSingleType) else { throw Self.wrongSignature }
                offset = try validate(types.start, at: types.start + types.count + 1, 3)
            }
        }
        guard offset == fieldsEnd else { throw InvalidMessage("its header ends inside a field") }
        header.end = try padded(offset, to: 8)
        try require(fieldsOf: header.kind, found)
    }

    /// Checks that the message has the fields that its kind requires.
    private func require(fieldsOf kind: Message.Kind, _ found: Int) throws(InvalidMessage) {
        let needed =
            switch kind {
            case .methodCall: 1 << 1 | 1 << 3
            case .methodReturn: 1 << 5
            case .error: 1 << 4 | 1 << 5
            case .signal: 1 << 1 | 1 << 2 | 1 << 3
            case .unknown: 0
            }
        guard found & needed == needed else { throw InvalidMessage("its header lacks a field") }
    }

    /// - Parameter offset: the position of the variant.
    /// - Returns: the end of the variant.
    private func validateField(
        _ code: UInt8, at offset: Int, _ header: MessageContents.Header
    ) throws(InvalidMessage) -> Int {
        let expected: UInt8 =
            switch code {
            case 1, 10: UInt8(ascii: "o")
            case 5, 9: UInt8(ascii: "u")
            case 8: UInt8(ascii: "g")
            default: UInt8(ascii: "s")
            }
        guard wire.byte(at: offset) == 1, wire.byte(at: offset + 1) == expected, wire.byte(at: offset + 2) == 0 else {
            throw InvalidMessage("a field of its header has the wrong type")
        }
        let value = offset + 3
        switch expected {
        case UInt8(ascii: "u"):
            let number = try number(UInt32.self, at: value)
            if code == 9 {
                header.descriptorCount = number
            } else {
                guard number != 0 else { throw InvalidMessage("it replies to the serial 0") }
                header.replySerial = number
            }
            return value + 4
        case UInt8(ascii: "g"):
            let text = try signature(at: value)
            guard unsafe wire.withBytes(text, WireRules.isSignature) else { throw Self.wrongSignature }
            header.signature = text
            return text.start + text.count + 1
        default:
            let text = try text(at: value)
            guard set(code, text, header) else { throw InvalidMessage("a name in its header is not valid") }
            return text.start + text.count + 1
        }
    }

    /// Stores the text of a field, if it is valid.
    private func set(_ code: UInt8, _ text: WireBytes.Text, _ header: MessageContents.Header) -> Bool {
        switch code {
        case 1:
            header.path = text
            return unsafe wire.withBytes(text, WireRules.isPath) && !isEqual(text, "/org/freedesktop/DBus/Local")
        case 2:
            header.interface = text
            return unsafe wire.withBytes(text, WireRules.isInterface) && !isEqual(text, "org.freedesktop.DBus.Local")
        case 3:
            header.member = text
            return unsafe wire.withBytes(text, WireRules.isMember)
        case 4:
            header.errorName = text
            return unsafe wire.withBytes(text, WireRules.isInterface)
        case 6:
            header.destination = text
            return unsafe wire.withBytes(text, WireRules.isBusName)
        case 7:
            header.sender = text
            return unsafe wire.withBytes(text, WireRules.isBusName)
        default: return unsafe wire.withBytes(text, WireRules.isPath)
        }
    }

    private func isEqual(_ text: WireBytes.Text, _ other: StaticString) -> Bool {
        unsafe wire.isEqual(text, other.utf8Start, count: other.utf8CodeUnitCount)
    }
}
