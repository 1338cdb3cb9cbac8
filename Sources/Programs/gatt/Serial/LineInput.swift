/// Splits input that arrives in pieces into lines.
struct LineInput {
    /// The greatest length of a line; longer ones are cut.
    static let limit = 1 << 16

    private var partial: [UInt8] = []

    /// Adds bytes, and returns the lines that they complete, without their line feeds.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            let isEnd = byte == UInt8(ascii: "\n")
            if !isEnd { partial.append(byte) }
            guard isEnd || partial.count == Self.limit else { continue }
            lines.append(partial)
            partial = []
        }
        return lines
    }

    /// The text after the last line feed, at the end of the input; nil if there is none.
    mutating func finish() -> [UInt8]? {
        defer { partial = [] }
        return partial.isEmpty ? nil : partial
    }
}

/// The key that ends raw mode.
enum ExitKey {
    /// Its name in messages.
    static let name = "Ctrl-]"
    static let byte: UInt8 = 0x1D

    /// The text typed before the key; all of it, if the key was not pressed.
    static func split(_ bytes: [UInt8]) -> (before: ArraySlice<UInt8>, isPressed: Bool) {
        guard let place = bytes.firstIndex(of: byte) else { return (bytes[...], false) }
        return (bytes[..<place], true)
    }
}
