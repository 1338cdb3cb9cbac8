/// Writes a recording, one whole line at a time.
package struct RecordingWriter {
    private let write: ([UInt8]) throws -> Void
    private var time: Int64 = 0

    /// Writes the header.
    ///
    /// - Parameter write: writes a line with its line feed at once, so that a program that ends here leaves whole
    ///   lines.
    package init(_ header: RecordingHeader, write: @escaping ([UInt8]) throws -> Void) throws {
        self.write = write
        try write(header.line + [UInt8(ascii: "\n")])
    }

    /// Writes an event. If its time is less than that of the event before, it gets that one's. An event with a longer
    /// line than a reader accepts becomes a note.
    package mutating func append(_ event: RecordedEvent) throws {
        var event = event
        event.time = min(max(event.time, time), RecordedEvent.latest)
        time = event.time
        var line = event.line
        if line.count >= RecordingReader.longestLine {
            let text = "An event with \(line.count) bytes was too large"
            event.content = .note(RecordedNote(kind: RecordedNote.dropped, text: text, device: event.device))
            line = event.line
        }
        try write(line + [UInt8(ascii: "\n")])
    }
}
