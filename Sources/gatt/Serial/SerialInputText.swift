/// The typed lines of an input that comes in pieces.
struct LineInput {
    /// A line that is longer is cut: so much is kept at most.
    static let limit = 1 << 16

    private var partial: [UInt8] = []

    /// The lines that the bytes complete, without their line feeds.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
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

    /// What stands behind the last line feed, at the end of the input; nil if nothing does.
    mutating func finish() -> [UInt8]? {
        defer { partial = [] }
        return partial.isEmpty ? nil : partial
    }
}

/// The key that ends raw mode, as it comes from a terminal.
enum ExitKey {
    /// As messages name it.
    static let name = "Ctrl-]"
    static let byte: UInt8 = 0x1D

    /// What was typed before the key; all of it, if the key was not pressed.
    static func split(_ bytes: [UInt8]) -> (before: ArraySlice<UInt8>, isPressed: Bool) {
        guard let place = bytes.firstIndex(of: byte) else { return (bytes[...], false) }
        return (bytes[..<place], true)
    }
}
