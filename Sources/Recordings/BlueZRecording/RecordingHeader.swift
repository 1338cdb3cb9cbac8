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
        var line = EventLine()
        line.add("gatt-recording", Int64(Self.version))
        line.add("origin", origin.rawValue)
        line.add("began", RecordingTime.text(began))
        if !program.isEmpty { line.add("program", program) { text, line in line.append(text) } }
        line.add("bluez", bluez)
        return line.finish()
    }

    /// Reads a first line.
    init(_ node: JSONNode) throws(FileError) {
        let fields = try EventFields(node, "the first line")
        guard let version = try fields.integer("gatt-recording", Int64.min...Int64.max) else {
            throw FileError(node.line, "This is no recording: the first line has no \"gatt-recording\"")
        }
        guard version == Self.version else {
            throw FileError(
                node.line, "The recording has version \(version); this program reads version \(Self.version)")
        }
        let name = try fields.required("origin", fields.text("origin"))
        guard let origin = Origin(rawValue: name) else {
            throw fields.error("origin", "must be bluetoothd or capture")
        }
        let text = try fields.required("began", fields.text("began"))
        guard let began = RecordingTime.microseconds(text) else {
            throw fields.error("began", "must be a time like 2026-11-26T10:00:00.000000Z")
        }
        let program = try fields.texts("program") ?? []
        self.init(origin: origin, began: began, program: program, bluez: try fields.text("bluez"))
    }
}
