import BlueZJSONLine

/// The first line of a recording.
package struct RecordingHeader: Equatable, Sendable {
    /// The source of the events.
    package enum Origin: String, Sendable {
        /// From the messages of bluetoothd and its clients.
        case bluetoothd
        /// From the packets of a capture.
        case capture
    }

    /// The version of the format.
    package static let version = 1

    /// The source of the events.
    package var origin: Origin
    /// The time of the first event, in microseconds since 1970.
    package var began: Int64
    /// The recorded program with its arguments, if known.
    package var program: [String] = []
    /// The version of BlueZ, if known.
    package var bluez: String?

    /// Creates a header.
    package init(origin: Origin, began: Int64, program: [String] = [], bluez: String? = nil) {
        self.origin = origin
        self.began = began
        self.program = program
        self.bluez = bluez
    }

    /// The line, without a line feed.
    package var line: [UInt8] {
        var output = JSONOutput()
        JSONKeys.write(self, to: &output) { header, keys in
            var version = Self.version
            keys.add("gatt-recording", required: &version, .number())
            header.code(&keys)
        }
        return output.bytes
    }

    /// Reads a first line.
    init(_ node: JSONNode) throws(FileError) {
        let version = try JSONKeys.read(node, "the first line", into: nil as Int?) { version, keys in
            keys.add("gatt-recording", &version, .number())
        }
        guard let version else {
            throw FileError(node.line, "This is no recording: the first line has no \"gatt-recording\"")
        }
        guard version == Self.version else {
            throw FileError(
                node.line, "The recording has version \(version); this program reads version \(Self.version)")
        }
        self = try JSONKeys.read(
            node, "the first line", into: RecordingHeader(origin: .bluetoothd, began: 0)
        ) { header, keys in header.code(&keys) }
    }

    private mutating func code(_ keys: inout JSONKeys) {
        keys.add(
            "origin", required: &origin,
            JSONField("bluetoothd or capture", text: \.rawValue) { Origin(rawValue: $0) })
        keys.add(
            "began", required: &began,
            JSONField("a time like 2026-11-26T10:00:00.000000Z", text: { RecordingTime.text($0) }) {
                RecordingTime.microseconds($0)
            })
        keys.add("program", &program, unless: [], .list(.text))
        keys.add("bluez", &bluez, .text)
    }
}
