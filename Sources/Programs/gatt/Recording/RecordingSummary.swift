import BlueZRecording
import CoreBlueZ

/// Counts what happened to each device.
struct RecordingSummary {
    /// The counts of a device.
    struct Device {
        var name: String?
        var advertisements = 0
        var links = 0
        var lost = 0
        var reads = 0
        var writes = 0
        var values = 0
        var errors = 0
        var services: Int?
        var notes: [String] = []

        /// The columns that aren't zero.
        var counts: String {
            let columns = [
                (advertisements, "advertisement"), (links, "link"), (lost, "lost link"), (services ?? 0, "service"),
                (reads, "read"), (writes, "write"), (values, "notification"), (errors, "error"),
            ]
            let shown = columns.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
            return shown.isEmpty ? "nothing" : shown.joined(separator: ", ")
        }
    }

    private static let mostDevices = 4096
    private static let mostNotes = 32

    private(set) var devices: [BluetoothAddress: Device] = [:]
    private(set) var notes: [String] = []
    private(set) var events = 0
    private(set) var leftOut = 0
    private var end: Int64 = 0

    mutating func count(_ event: RecordedEvent) {
        events += 1
        end = event.time
        guard let device = event.device else {
            if case .note(let note) = event.content, notes.count < Self.mostNotes { notes.append(note.text) }
            return
        }
        guard devices[device] != nil || devices.count < Self.mostDevices else {
            leftOut += 1
            return
        }
        count(event.content, &devices[device, default: Device()])
    }

    private func count(_ content: RecordedEvent.Content, _ device: inout Device) {
        switch content {
        case .heard(let report):
            device.advertisements += 1
            device.name = report.data.localName ?? device.name
        case .device(let report): device.name = report.deviceName ?? device.name
        case .connected: device.links += 1
        case .disconnected(let link): device.lost += link.by == .lost ? 1 : 0
        case .request(let request):
            if request.operation == .read { device.reads += 1 }
            if request.operation.isWrite { device.writes += 1 }
        case .value: device.values += 1
        case .database(let database): if !database.isServedHere { device.services = database.services.count }
        case .pairing(let pairing): if pairing.step == "failed" { device.errors += 1 }
        case .note(let note): if device.notes.count < Self.mostNotes { device.notes.append(note.text) }
        default: break
        }
    }

    mutating func countFailure(_ response: RecordedResponse, of request: RecordedRequest) {
        if let device = request.device, response.failure != nil { devices[device]?.errors += 1 }
    }

    /// The devices, those with links first.
    var ordered: [(address: BluetoothAddress, device: Device)] {
        devices.sorted { ($1.value.links, $0.key) < ($0.value.links, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Returns one line about the recording.
    func heading(_ header: RecordingHeader) -> String {
        let origin = header.origin == .capture ? "a capture" : "bluetoothd"
        let program = header.program.isEmpty ? "" : " of \(header.program.joined(separator: " "))"
        return """
            Recorded from \(origin)\(program), \(RecordingTime.text(header.began)), \
            \(RecordingTimeline.seconds(end)) s, \(events) events
            """
    }

    /// For terminals.
    func text(_ header: RecordingHeader) -> String {
        var lines = [heading(header)]
        for (address, device) in ordered {
            let name = device.name.map { " \"\($0)\"" } ?? ""
            lines.append("\(address)\(name): \(device.counts)")
            lines += device.notes.map { "  note: \($0)" }
        }
        if leftOut > 0 { lines.append("More devices, with \(leftOut) events: use --device") }
        lines += notes.map { "note: \($0)" }
        return lines.map { $0.escapedForTerminal() + "\n" }.joined()
    }
}
