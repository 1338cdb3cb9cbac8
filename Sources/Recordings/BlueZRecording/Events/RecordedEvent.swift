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
    package var device: BluetoothAddress? {
        switch content {
        case .adapter, .response, .other: nil
        case .heard(let event): event.device
        case .device(let event): event.device
        case .request(let event): event.device
        case .connected(let event): event.device
        case .disconnected(let event): event.device
        case .database(let event): event.device
        case .value(let event): event.device
        case .mtu(let event): event.device
        case .pairing(let event): event.device
        case .note(let event): event.device
        }
    }

    // MARK: Lines

    /// The line, without a line feed.
    package var line: [UInt8] {
        var line = EventLine()
        line.add("t", number: RecordingTime.seconds(time))
        let fields = fields
        line.add("event", fields.name)
        fields.write(to: &line)
        return line.finish()
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

    init(_ node: JSONNode) throws(FileError) {
        let fields = try EventFields(node, "the event")
        time = try fields.required("t", Self.time(fields))
        let name = try fields.required("event", fields.text("event"))
        content =
            switch name {
            case "adapter": .adapter(try RecordedAdapter(fields))
            case "heard": .heard(try RecordedAdvertisement(fields))
            case "device": .device(try RecordedDevice(fields))
            case "request": .request(try RecordedRequest(fields))
            case "response": .response(try RecordedResponse(fields))
            case "connected": .connected(try RecordedConnection(fields))
            case "disconnected": .disconnected(try RecordedDisconnection(fields))
            case "database": .database(try RecordedDatabase(fields))
            case "value": .value(try RecordedValue(fields))
            case "mtu": .mtu(try RecordedMTU(fields))
            case "pairing": .pairing(try RecordedPairing(fields))
            case "note": .note(try RecordedNote(fields))
            default: .other(RecordedOther(name: name, fields))
            }
    }

    /// The time, exact to the microsecond: whole seconds of up to nine digits, and up to six digits after the point.
    private static func time(_ fields: EventFields) throws(FileError) -> Int64? {
        guard let node = fields["t"] else { return nil }
        if case .number(let digits) = node.content {
            let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
            let fraction = parts.count == 2 ? parts[1] : ""
            if parts.count <= 2, parts[0].utf8.count <= 9, fraction.utf8.count <= 6, let seconds = UInt32(parts[0]),
                let microseconds = UInt32(fraction + String(repeating: "0", count: 6 - fraction.utf8.count))
            {
                return Int64(seconds) * 1_000_000 + Int64(microseconds)
            }
        }
        throw fields.error("t", "must be seconds with at most six digits after the point")
    }
}

/// The keys of an event.
protocol RecordedFields {
    /// The value of `event`.
    var name: String { get }
    func write(to line: inout EventLine)
}

/// An event that this version doesn't know.
package struct RecordedOther: Equatable, Sendable, RecordedFields {
    /// The value of `event`.
    package var name: String
    private let members: [(key: String, content: JSONContent)]

    init(name: String, _ fields: EventFields) {
        self.name = name
        members = fields.members.filter { $0.key != "t" && $0.key != "event" }.map { ($0.key, $0.value.content) }
    }

    func write(to line: inout EventLine) {
        for (key, content) in members { line.add(key, json: content) }
    }

    package static func == (left: Self, right: Self) -> Bool {
        func bytes(_ event: Self) -> [UInt8] {
            var line = EventLine()
            event.write(to: &line)
            return line.finish()
        }
        return left.name == right.name && bytes(left) == bytes(right)
    }
}

extension EventLine {
    mutating func append(json content: JSONContent) {
        switch content {
        case .object(let members):
            object { line in
                for member in members { line.add(member.key, json: member.value.content) }
            }
        case .array(let nodes): list(nodes) { node, line in line.append(json: node.content) }
        case .string(let text): append(text)
        case .number(let digits): append(raw: digits)
        case .boolean(let flag): append(raw: "\(flag)")
        case .null: append(raw: "null")
        }
    }
}
