import BlueZJSONLine

/// Reads a recording, one event after another, in memory that does not grow with the file.
package struct RecordingReader {
    /// The most bytes of a line.
    package static let longestLine = 1 << 20
    /// The most values of a line, with those in objects and lists.
    static let mostValues = 200_000

    private var source: ByteSource
    /// The number of the line that was read last.
    package private(set) var line = 0
    /// The first line.
    package let header: RecordingHeader
    private var time: Int64 = 0

    /// Reads the header.
    ///
    /// - Throws: `FileError`, or an error of the source.
    package init(_ source: ByteSource) throws {
        self.source = source
        var line = 0
        guard let node = try Self.node(&self.source, &line) else { throw FileError(1, "The file is empty") }
        header = try RecordingHeader(node)
        self.line = line
    }

    /// Whether a file that begins with these bytes is meant to be a recording.
    package static func isRecording(_ start: [UInt8]) -> Bool { start.first == UInt8(ascii: "{") }

    /// Returns the next event; nil at the end.
    ///
    /// - Throws: `FileError` if the line is not an event, or an error of the source.
    package mutating func next() throws -> RecordedEvent? {
        guard let node = try Self.node(&source, &line) else { return nil }
        let event = try RecordedEvent(node)
        guard event.time >= time else { throw FileError(line, "The time is less than that of the line before") }
        time = event.time
        return event
    }

    private static func node(_ source: inout ByteSource, _ line: inout Int) throws -> JSONNode? {
        guard let (bytes, isWhole) = try source.line(limit: longestLine) else { return nil }
        line += 1
        guard isWhole else {
            let reason = bytes.count < longestLine ? "is cut off" : "has more than \(longestLine) bytes"
            throw FileError(line, "The line \(reason)")
        }
        let nodes = try JSONParser.values(in: bytes, firstLine: line, limit: mostValues)
        guard let node = nodes.first, nodes.count == 1 else {
            throw FileError(line, "Expected one object in the line, found \(nodes.count) values")
        }
        return node
    }
}
