extension String {
    /// Creates the hexadecimal text of a number, padded with leading zeros to this many digits.
    public init(hexadecimal number: some UnsignedInteger, digits: Int, uppercase: Bool = false) {
        let text = String(UInt64(truncatingIfNeeded: number), radix: 16, uppercase: uppercase)
        self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }

    /// Creates the hexadecimal text of bytes: two digits each, without separators.
    public init(hexadecimal bytes: some Sequence<UInt8>, uppercase: Bool = false) {
        let letters = UInt8(ascii: uppercase ? "A" : "a") - 10
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            for digit in [byte >> 4, byte & 0xF] { text.append(digit + (digit < 10 ? UInt8(ascii: "0") : letters)) }
        }
        self = String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Creates bytes from their hexadecimal text: two digits each, in either case. Nil if the text contains anything
    /// else.
    public init?(hexadecimal text: some StringProtocol) {
        self.init()
        reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = character.hexadecimalDigit else { return nil }
            if let upper = high.take() { append(upper << 4 | digit) } else { high = digit }
        }
        if high != nil { return nil }
    }
}

extension UInt8 {
    /// The value of the byte as an ASCII hexadecimal digit, in either case; nil if it is not one.
    @inlinable package var hexadecimalDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
