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

    /// Replaces the addresses and UUIDs that have keys of their own.
    mutating func redactKeys(_ redaction: Redaction) { content = fields.redacted(redaction).content }

    // MARK: Lines

    /// The line, without a line feed.
    package var line: [UInt8] {
        var line = EventLine()
        fields.write(to: &line, at: time)
        return line.bytes
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
        let object = try EventObject(node, "the event")
        guard let timeNode = object["t"] else { throw object.missing("t") }
        time = try EventField.time.read(timeNode, EventPlace(object: object, key: "t"))
        guard let nameNode = object["event"] else { throw object.missing("event") }
        let name = try EventField.text.read(nameNode, EventPlace(object: object, key: "event"))
        content = try Self.kinds[name]?.init(object).content ?? .other(RecordedOther(name: name, object))
    }
}

extension EventField<Int64> {
    /// The time, exact to the microsecond: whole seconds of up to nine digits, and up to six digits after the point.
    fileprivate static var time: EventField {
        EventField { node, place throws(FileError) in
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
            throw place.error("must be seconds with at most six digits after the point")
        } write: { time, line in
            line.append(raw: RecordingTime.seconds(time))
        }
    }
}

/// The content of an event, with its keys.
protocol RecordedFields: Sendable {
    /// The value of `event`.
    static var name: String { get }
    var name: String { get }
    var content: RecordedEvent.Content { get }
    /// The device that it concerns.
    var subject: BluetoothAddress? { get }

    /// Creates an event without keys. What must be there is anything.
    init()
    /// Reads, writes or redacts the keys, apart from those of all events.
    mutating func code(_ keys: inout EventCoder)
}

extension RecordedFields {
    var name: String { Self.name }
    var subject: BluetoothAddress? { nil }

    fileprivate init(_ object: EventObject) throws(FileError) {
        self = try EventCoder.read(object, into: Self()) { event, keys in event.code(&keys) }
    }

    fileprivate func write(to line: inout EventLine, at time: Int64) {
        EventCoder.write(self, to: &line) { event, keys in
            var (time, name) = (time, event.name)
            keys.add("t", required: &time, .time)
            keys.add("event", required: &name, .text)
            event.code(&keys)
        }
    }

    fileprivate func redacted(_ redaction: Redaction) -> Self {
        EventCoder.redact(self, redaction) { event, keys in event.code(&keys) }
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

    init() {}

    init(name: String, _ object: EventObject) {
        self.name = name
        members = object.members.filter { $0.key != "t" && $0.key != "event" }
    }

    var content: RecordedEvent.Content { .other(self) }

    mutating func code(_ keys: inout EventCoder) { keys.add(members) }

    package static func == (left: Self, right: Self) -> Bool {
        RecordedEvent(time: 0, .other(left)).line == RecordedEvent(time: 0, .other(right)).line
    }
}
