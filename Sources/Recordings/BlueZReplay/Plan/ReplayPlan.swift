import BlueZRecording
import BlueZServer
import BlueZValues

/// A recording, ordered by what its events depend on.
package struct ReplayPlan: Sendable {
    /// The most events of a recording; long ones count as several. An hour of a SensorTag with all sensors has 150,000.
    package static let mostEvents = 1_000_000

    /// The most devices of a recording, as many as `gatt import` keeps.
    package static let mostDevices = 4_096

    /// An error in a recording.
    package struct Failure: Error {
        /// A sentence without a full stop.
        package let message: String
    }

    /// The adapters, by their first events.
    var adapters: [RecordedAdapter] = []
    var devices: [BluetoothAddress: DevicePlan] = [:]
    /// The reports of each discovery.
    var discoveries: [[ReportPlan]] = []
    /// Whether bluetoothd, or a capture, says which side ended a link.
    package var hasLinkEnds = false
    /// The recording's notes, which say what it does not contain.
    package private(set) var notes: [RecordedNote] = []

    /// Orders the events of a recording.
    ///
    /// - Parameters:
    ///   - origin: where the events come from.
    ///   - next: returns the next event, and nil at the end.
    /// - Throws: what `next` throws, or `Failure` if there are too many events or devices.
    package init(_ origin: RecordingHeader.Origin, _ next: () throws -> RecordedEvent?) throws {
        var builder = PlanBuilder(origin: origin)
        var count = 0
        while let event = try next() {
            count += event.weight
            guard count <= Self.mostEvents else {
                throw Failure(message: "The recording has more than \(Self.mostEvents) events")
            }
            if case .note(let note) = event.content, notes.count < 100 { notes.append(note) }
            builder.add(event)
            guard builder.devices.count <= Self.mostDevices else {
                throw Failure(message: "The recording has more than \(Self.mostDevices) devices")
            }
        }
        self = builder.finish(notes)
    }

    init(notes: [RecordedNote]) {
        self.notes = notes
    }
}

extension RecordedEvent {
    /// How many events this one counts as, by the memory that it needs.
    fileprivate var weight: Int {
        switch content {
        case .heard(let event):
            1 + event.data.serviceUUIDs.count + event.data.manufacturerData.count + event.data.serviceData.count
        case .device(let event): 1 + (event.services?.count ?? 0) / 4
        case .request(let event): 1 + (event.value?.count ?? 0) / 256
        case .response(let event): 1 + (event.value?.count ?? 0) / 256 + (event.values?.count ?? 0)
        case .value(let event): 1 + event.value.count / 256
        case .database(let event):
            event.services.reduce(1) { $0 + $1.attributeCount }
        case .adapter, .connected, .disconnected, .mtu, .pairing, .note, .other: 1
        }
    }
}
