import BlueZValues
import Testing

@testable import BlueZRecording

let device = BluetoothAddress("C0:01:02:03:04:05")!

/// The events of a file.
func imported(_ file: [UInt8]) throws -> [RecordedEvent] {
    var importer = try CaptureImporter(ByteSource(file))
    var events: [RecordedEvent] = []
    while let event = try importer.next() { events.append(event) }
    return events
}

/// The events of packets as a file of Android.
func imported(_ build: (inout CaptureBuilder) -> Void) throws -> [RecordedEvent] {
    var builder = CaptureBuilder()
    build(&builder)
    return try imported(builder.file(.android))
}

/// The events as lines without their times.
func lines(_ events: [RecordedEvent]) -> [String] {
    events.map { event in
        let line = String(decoding: event.line, as: UTF8.self)
        return "{" + line.split(separator: ",", maxSplits: 1)[1]
    }
}

extension CaptureBuilder {
    /// A link to a device with a service, a characteristic and a descriptor, and its whole discovery.
    mutating func discover() {
        connect()
        send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
        receive([0x11, 6, 1, 0, 4, 0, 0x0D, 0x18])
        send([0x10, 5, 0, 0xFF, 0xFF, 0x00, 0x28])
        receive([0x01, 0x10, 5, 0, 0x0A])
        send([0x08, 1, 0, 4, 0, 0x03, 0x28])
        receive([0x09, 7, 2, 0, 0x12, 3, 0, 0x37, 0x2A])
        send([0x08, 3, 0, 4, 0, 0x03, 0x28])
        receive([0x01, 0x08, 3, 0, 0x0A])
        send([0x04, 4, 0, 4, 0])
        receive([0x05, 1, 4, 0, 0x02, 0x29])
    }
}
