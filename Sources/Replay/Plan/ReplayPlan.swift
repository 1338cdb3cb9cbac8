import BlueZServer
import BluetoothValues
import Recording

/// A recording, ordered by what its events depend on.
package struct ReplayPlan: Sendable {
    /// The most events of a recording. An hour of a SensorTag with all sensors has 150,000.
    package static let mostEvents = 1_000_000

    /// What is wrong with a recording.
    package struct Failure: Error {
        /// A sentence without a full stop.
        package let message: String
    }

    /// The adapters, by their first events.
    var adapters: [RecordedAdapter] = []
    var devices: [BluetoothAddress: DevicePlan] = [:]
    /// The reports of each discovery.
    var discoveries: [[ReportPlan]] = []
    /// Changes of the adapter without a link, each with the time since the change before, in microseconds.
    var adapterChanges: [(delay: Int64, change: AdapterChange)] = []
    /// What the recording says that it does not contain.
    package private(set) var notes: [RecordedNote] = []

    /// Orders the events of a recording.
    ///
    /// - Parameter next: returns the next event, and nil at the end.
    /// - Throws: what `next` throws, or `Failure` if there are too many events.
    package init(_ next: () throws -> RecordedEvent?) throws {
        var builder = PlanBuilder()
        var count = 0
        while let event = try next() {
            count += 1
            guard count <= Self.mostEvents else {
                throw Failure(message: "The recording has more than \(Self.mostEvents) events")
            }
            if case .note(let note) = event.content, notes.count < 100 { notes.append(note) }
            builder.take(event)
        }
        self = builder.finish(notes)
    }

    init(notes: [RecordedNote]) {
        self.notes = notes
    }
}
