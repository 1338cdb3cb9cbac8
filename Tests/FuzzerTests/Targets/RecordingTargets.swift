@testable import Captures
@testable import JSONLine
@testable import Recording
@testable import Replay

extension FuzzTarget {
    static func testCaptures(_ bytes: [UInt8]) throws {
        do {
            var importer = try CaptureImporter(ByteSource(bytes))
            var events: [RecordedEvent] = []
            while let event = try importer.next() { events.append(event) }
            try repeatable(events, importer.header)
        } catch is CaptureError {}
    }

    static func testRecordings(_ bytes: [UInt8]) throws {
        do {
            var reader = try RecordingReader(ByteSource(bytes))
            var events: [RecordedEvent] = []
            while let event = try reader.next() { events.append(event) }
            try repeatable(events, reader.header)
        } catch is FileError {}
    }

    /// Throws if the events are others after they were written, or cannot be played.
    private static func repeatable(_ events: [RecordedEvent], _ header: RecordingHeader) throws {
        var lines: [UInt8] = []
        var writer = try RecordingWriter(header) { lines += $0 }
        for event in events { try writer.append(event) }
        var reader = try RecordingReader(ByteSource(lines))
        // As lines, because times beyond the year 9999 are written as its end.
        try check(reader.header.line == header.line, "the header is different after it was written")
        var rest = events[...]
        _ = try ReplayPlan { rest.popFirst() }
        for event in events {
            try check(try reader.next() == event, "an event is different after it was written: \(event)")
        }
    }
}
