/// The D-Bus specification's rules for texts in messages ("Valid Names", "Valid Object Paths", "Valid Signatures"), as
/// in libdbus (dbus/dbus-marshal-validate.c). For received bytes, which are checked in place.
@safe enum WireRules {
    private static let nameLength = 255
    /// The greatest nesting depth of arrays, and of structures and dictionaries, in a signature.
    private static let depth = 32

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    static func isPath(_ path: UnsafeRawBufferPointer) -> Bool {
        guard unsafe path.first == UInt8(ascii: "/") else { return false }
        guard path.count > 1 else { return true }
        var last = UInt8(0)
        for index in 0..<path.count {
            let byte = unsafe path[index]
            if byte == UInt8(ascii: "/") {
                guard last != byte else { return false }
            } else if !isLetter(byte), !isDigit(byte) {
                return false
            }
            last = byte
        }
        return last != UInt8(ascii: "/")
    }

    /// Returns whether this is the name of an interface or error: at least two elements between dots.
    static func isInterface(_ name: UnsafeRawBufferPointer) -> Bool {
        unsafe isDotted(name, allowsHyphen: false)
    }

    static func isMember(_ name: UnsafeRawBufferPointer) -> Bool {
        guard let first = unsafe name.first, name.count <= nameLength, isLetter(first) else { return false }
        for index in 0..<name.count {
            let byte = unsafe name[index]
            guard isLetter(byte) || isDigit(byte) else { return false }
        }
        return true
    }

    static func isBusName(_ name: UnsafeRawBufferPointer) -> Bool {
        guard unsafe name.first == UInt8(ascii: ":") else { return unsafe isDotted(name, allowsHyphen: true) }
        guard name.count <= nameLength else { return false }
        var isAfterDot = false
        for index in 1..<name.count {
            let byte = unsafe name[index]
            let isDot = byte == UInt8(ascii: ".") && !isAfterDot
            guard isDot || isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") else { return false }
            isAfterDot = isDot
        }
        return !isAfterDot
    }

    private static func isDotted(_ name: UnsafeRawBufferPointer, allowsHyphen: Bool) -> Bool {
        guard name.count <= nameLength else { return false }
        var (isFirst, hasDot) = (true, false)
        for index in 0..<name.count {
            let byte = unsafe name[index]
            if isLetter(byte) || allowsHyphen && byte == UInt8(ascii: "-") || !isFirst && isDigit(byte) {
                isFirst = false
            } else {
                guard byte == UInt8(ascii: "."), !isFirst else { return false }
                (isFirst, hasDot) = (true, true)
            }
        }
        return hasDot && !isFirst
    }

    /// Returns whether this is UTF-8 without U+0000.
    static func isText(_ text: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position < text.count {
            if position + 8 <= text.count {
                let bytes = unsafe text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                // Eight characters of ASCII, none of them zero.
                if (bytes | (bytes &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 == 0 {
                    position += 8
                    continue
                }
            }
            let count = unsafe length(of: text, at: position)
            guard count > 0 else { return false }
            position += count
        }
        return true
    }

    /// Returns the number of bytes of the character, or 0 if it is invalid (Unicode, table 3-7).
    private static func length(of text: UnsafeRawBufferPointer, at position: Int) -> Int {
        let first = unsafe text[position]
        if first < 0x80 { return first == 0 ? 0 : 1 }
        let (count, second): (Int, ClosedRange<UInt8>)
        switch first {
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard position + count <= text.count, second.contains(unsafe text[position + 1]) else { return 0 }
        for index in position + 2..<position + count where unsafe text[index] & 0xC0 != 0x80 { return 0 }
        return count
    }

    // MARK: Signatures

    /// Returns whether this is any number of complete types.
    static func isSignature(_ signature: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position < signature.count {
            guard unsafe skipType(signature, &position, 0, 0, 0) else { return false }
        }
        return true
    }

    /// Returns whether this is one complete type.
    static func isSingleType(_ signature: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        guard unsafe skipType(signature, &position, 0, 0, 0) else { return false }
        return position == signature.count
    }

    static func isBasic(_ code: UInt8) -> Bool {
        switch code {
        case UInt8(ascii: "y"), UInt8(ascii: "b"), UInt8(ascii: "n"), UInt8(ascii: "q"), UInt8(ascii: "i"),
            UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "h"),
            UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
            true
        default: false
        }
    }

    private static func skipType(
        _ signature: UnsafeRawBufferPointer, _ position: inout Int, _ arrays: Int, _ structures: Int, _ entries: Int
    ) -> Bool {
        guard position < signature.count else { return false }
        let code = unsafe signature[position]
        position += 1
        if isBasic(code) || code == UInt8(ascii: "v") { return true }
        switch code {
        case UInt8(ascii: "a"):
            guard arrays < depth, position < signature.count else { return false }
            guard unsafe signature[position] == UInt8(ascii: "{") else {
                return unsafe skipType(signature, &position, arrays + 1, structures, entries)
            }
            position += 1
            guard entries < depth, position < signature.count, isBasic(unsafe signature[position]) else { return false }
            position += 1
            guard unsafe skipType(signature, &position, 0, structures, entries + 1), position < signature.count,
                unsafe signature[position] == UInt8(ascii: "}")
            else { return false }
            position += 1
            return true
        case UInt8(ascii: "("):
            guard structures < depth else { return false }
            repeat {
                guard unsafe skipType(signature, &position, 0, structures + 1, entries) else { return false }
            } while unsafe position < signature.count && signature[position] != UInt8(ascii: ")")
            guard position < signature.count else { return false }
            position += 1
            return true
        default: return false
        }
    }
}
