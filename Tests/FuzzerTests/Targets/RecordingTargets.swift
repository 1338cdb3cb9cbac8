@testable import BlueZJSONLine
@testable import BlueZRecording
@testable import BlueZReplay

extension FuzzTarget {
    static func testCaptures(_ bytes: [UInt8]) throws {
        do {
            var importer = try CaptureImporter(ByteSource(bytes))
            var events: [RecordedEvent] = []
            while let event = try importer.next() { events.append(event) }
            let count = events.reduce(0) { $0 + $1.line.count }
            try check(count < 20 * bytes.count + 1 << 16, "\(bytes.count) bytes become \(count)")
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

    static func testRedactions(_ bytes: [UInt8]) throws {
        do {
            var reader = try RecordingReader(ByteSource(bytes))
            var events: [RecordedEvent] = []
            while let event = try reader.next() { events.append(event) }
            var secrets = Secrets()
            for event in events + events { try secrets.add(event) }
            var redaction = Redaction(secrets, hidesValues: false)
            let redacted = events.compactMap { redaction.redacting($0) }
            let replacements = Set(secrets.addresses.values)
            for (event, original) in zip(redacted, events.filter { !$0.isOther }) {
                let device = event.device
                try check(device.map { replacements.contains($0) } ?? true, "an address is left: \(event)")
                guard case .value(let value) = event.content, case .value(let before) = original.content else {
                    continue
                }
                try check(value.value.count == before.value.count, "a value has another length: \(event)")
                for (name, new) in secrets.texts where name.count > 8 && name != new && !new.contains(name) {
                    try check(!value.value.contains(name), "a name is left: \(event)")
                }
            }
            try repeatable(redacted, reader.header)
        } catch is FileError {
        } catch is Secrets.TooMany {}
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
        _ = try ReplayPlan(header.origin) { rest.popFirst() }
        for event in events {
            try check(try reader.next() == event, "an event is different after it was written: \(event)")
        }
    }
}

extension RecordedEvent {
    /// Whether it is dropped by a redaction.
    fileprivate var isOther: Bool { if case .other = content { true } else { false } }
}
