extension String {
    /// A number in hexadecimal, padded with leading zeros to this many digits.
    package init(hexadecimal number: some UnsignedInteger, digits: Int, uppercase: Bool = false) {
        let text = String(UInt64(truncatingIfNeeded: number), radix: 16, uppercase: uppercase)
        self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }

    /// Bytes as two lowercase digits each, without separators.
    package init(hexadecimal bytes: some Sequence<UInt8>) {
        self = bytes.map { String(hexadecimal: $0, digits: 2) }.joined()
    }
}
