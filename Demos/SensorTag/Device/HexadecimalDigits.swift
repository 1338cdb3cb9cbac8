extension UInt8 {
    /// Two lower-case hexadecimal digits.
    var twoHexDigits: String {
        (self < 0x10 ? "0" : "") + String(self, radix: 16)
    }
}

extension UInt16 {
    /// Four lower-case hexadecimal digits.
    var fourHexDigits: String {
        UInt8(self >> 8).twoHexDigits + UInt8(self & 0xFF).twoHexDigits
    }
}
