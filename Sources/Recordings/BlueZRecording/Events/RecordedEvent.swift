import BlueZJSONLine
import BlueZValues

/// One line of a recording: something that happened, and when.
package struct RecordedEvent: Equatable, Sendable {
    /// The event's content.
    package enum Content: Equatable, Sendable {
        case adapter(RecordedAdapter)
        case heard(RecordedAdvertisement)
        case device(RecordedDevice)
        case request(RecordedRequest)
        case response(RecordedResponse)
        case connected(RecordedConnection)
        case disconnected(RecordedDisconnection)
        case database(RecordedDatabase)
        case value(RecordedValue)
        case mtu(RecordedMTU)
        case pairing(RecordedPairing)
        case note(RecordedNote)
        /// An event that this version doesn't know, as its line without `t` and `event`.
        case other(RecordedOther)
    }

    /// The last time that a line can have: 31 years.
    package static let latest: Int64 = 999_999_999_999_999

    /// The time of the event, in microseconds since the recording began.
    package var time: Int64
    /// The event's content.
    package var content: Content

    /// Creates an event.
    package init(time: Int64, _ content: Content) {
        self.time = time
        self.content = content
    }

    /// The device of the event. A response has none: it belongs to its request.
    package var device: BluetoothAddress? { fields.subject }

    /// Changes the values of all keys.
    mutating func change(_ change: any JSONChange) { content = fields.changed(change).content }

    // MARK: Lines

    /// The line, without a line feed.
    package var line: [UInt8] {
        var output = JSONOutput()
        fields.write(to: &output, at: time)
        return output.bytes
    }

    private var fields: any RecordedFields {
        switch content {
        case .adapter(let event): event
        case .heard(let event): event
        case .device(let event): event
        case .request(let event): event
        case .response(let event): event
        case .connected(let event): event
        case .disconnected(let event): event
        case .database(let event): event
        case .value(let event): event
        case .mtu(let event): event
        case .pairing(let event): event
        case .note(let event): event
        case .other(let event): event
        }
    }

    private static let kinds: [String: any RecordedFields.Type] = {
        let kinds: [any RecordedFields.Type] = [
            RecordedAdapter.self, RecordedAdvertisement.self, RecordedDevice.self, RecordedRequest.self,
            RecordedResponse.self, RecordedConnection.self, RecordedDisconnection.self, RecordedDatabase.self,
            RecordedValue.self, RecordedMTU.self, RecordedPairing.self, RecordedNote.self,
        ]
        return Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
    }()

    init(_ node: JSONNode) throws(FileError) {
        var event = RecordedEvent(time: 0, .other(RecordedOther()))
        var name = ""
        event = try JSONKeys.read(node, "the event", into: event) { event, keys in
            keys.add("t", required: &event.time, .time)
            keys.add("event", required: &name, .text)
        }
        time = event.time
        content = try Self.kinds[name]?.init(node, "the event").content ?? .other(RecordedOther(name: name, node))
    }
}

extension JSONField<Int64> {
    /// The time, exact to the microsecond: whole seconds of up to nine digits, and up to six digits after the point.
    fileprivate static var time: JSONField {
        JSONField { node throws(FileError) in
            if case .number(let digits) = node.content {
                let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
                let fraction = parts.count == 2 ? parts[1] : ""
                if parts.count <= 2, parts[0].utf8.count <= 9, fraction.utf8.count <= 6,
                    let seconds = UInt32(parts[0]),
                    let microseconds = UInt32(fraction + String(repeating: "0", count: 6 - fraction.utf8.count))
                {
                    return Int64(seconds) * 1_000_000 + Int64(microseconds)
                }
            }
            throw node.error(wanted: "seconds with at most six digits after the point")
        } write: { time, output in
            output.append(raw: RecordingTime.seconds(time))
        }
    }
}

/// The content of an event, with its keys apart from those of all events.
protocol RecordedFields: JSONObject {
    /// The value of `event`.
    static var name: String { get }
    var name: String { get }
    var content: RecordedEvent.Content { get }
    /// The device that it concerns.
    var subject: BluetoothAddress? { get }
}

extension RecordedFields {
    var name: String { Self.name }
    var subject: BluetoothAddress? { nil }

    fileprivate func write(to output: inout JSONOutput, at time: Int64) {
        JSONKeys.write(self, to: &output) { event, keys in
            var (time, name) = (time, event.name)
            keys.add("t", required: &time, .time)
            keys.add("event", required: &name, .text)
            event.code(&keys)
        }
    }

    fileprivate func changed(_ change: any JSONChange) -> Self {
        JSONKeys.change(self, change) { event, keys in event.code(&keys) }
    }
}

/// The content of an event that always concerns a device.
protocol RecordedDeviceFields: RecordedFields {
    var device: BluetoothAddress { get }
}

extension RecordedDeviceFields {
    var subject: BluetoothAddress? { device }
}

extension BluetoothAddress {
    /// What `device` is before it is read.
    static let unread = BluetoothAddress(bits: 0)
}

/// An event that this version doesn't know.
package struct RecordedOther: Equatable, Sendable, RecordedFields {
    static let name = ""
    /// The value of `event`.
    package var name = ""
    private var members: [JSONMember] = []

    package init() {}

    init(name: String, _ node: JSONNode) {
        self.name = name
        if case .object(let all) = node.content { members = all.filter { $0.key != "t" && $0.key != "event" } }
    }

    var content: RecordedEvent.Content { .other(self) }

    package mutating func code(_ keys: inout JSONKeys) { keys.add(members) }

    package static func == (left: Self, right: Self) -> Bool {
        RecordedEvent(time: 0, .other(left)).line == RecordedEvent(time: 0, .other(right)).line
    }
}
