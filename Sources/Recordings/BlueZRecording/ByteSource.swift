/// A stream of bytes, such as those of a file, which arrives in pieces.
package struct ByteSource {
    private let read: () throws -> [UInt8]
    private var piece: [UInt8] = []
    private var position = 0
    private var hasEnded = false
    /// How many bytes have been taken.
    package private(set) var offset = 0

    /// Creates a source.
    ///
    /// - Parameter read: returns the next bytes, or none at the end.
    package init(read: @escaping () throws -> [UInt8]) {
        self.read = read
    }

    /// Creates a source of these bytes.
    package init(_ bytes: [UInt8]) {
        var rest: [UInt8]? = bytes
        self.init { rest.take() ?? [] }
    }

    /// Takes the next byte; nil at the end.
    package mutating func next() throws -> UInt8? {
        guard try fill() else { return nil }
        defer {
            position += 1
            offset += 1
        }
        return piece[position]
    }

    /// Takes this many bytes, or fewer at the end.
    package mutating func take(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(count, 65536))
        while bytes.count < count, try fill() {
            let taken = piece[position...].prefix(count - bytes.count)
            bytes += taken
            position += taken.count
            offset += taken.count
        }
        return bytes
    }

    /// Returns the next bytes without taking them: this many, or fewer at the end.
    package mutating func peek(_ count: Int) throws -> [UInt8] {
        while piece.count - position < count, !hasEnded {
            let more = try read()
            if more.isEmpty { hasEnded = true }
            piece = Array(piece[position...]) + more
            position = 0
        }
        return Array(piece[position...].prefix(count))
    }

    /// Takes the bytes before the next line feed, and the line feed. Nil at the end.
    ///
    /// - Returns: the line, and whether a line feed ended it. A line that is longer than `limit` is cut.
    package mutating func line(limit: Int) throws -> (bytes: [UInt8], isWhole: Bool)? {
        guard try fill() else { return nil }
        var line: [UInt8] = []
        while try fill() {
            let end = piece[position...].firstIndex(of: UInt8(ascii: "\n"))
            let part = piece[position..<(end ?? piece.endIndex)].prefix(limit - line.count)
            line += part
            position += part.count
            offset += part.count
            if line.count == limit, position != end { return (line, false) }
            guard end != nil else { continue }
            position += 1
            offset += 1
            return (line, true)
        }
        return (line, false)
    }

    /// Gets more bytes if all were taken. False at the end.
    private mutating func fill() throws -> Bool {
        while position == piece.count, !hasEnded {
            piece = try read()
            position = 0
            if piece.isEmpty { hasEnded = true }
        }
        return position < piece.count
    }
}
