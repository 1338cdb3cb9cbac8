import BlueZPrintableText
import BlueZRecording
import CoreBlueZ
import FoundationEssentials

/// Makes rows for users of the events of a recording.
struct RecordingTimeline {
    /// A line of the timeline.
    struct Row: Equatable {
        enum Kind: String {
            case advertisement
            case link
            case request
            case value
            case error
            case note
        }

        /// In microseconds since the recording began.
        var time: Int64
        var device: String
        var kind: Kind
        var text: String

        /// For terminals.
        var line: String {
            let seconds = RecordingTimeline.seconds(time)
            let padding = String(repeating: " ", count: max(0, 10 - seconds.utf8.count))
            return "\(padding)\(seconds)  \(device.isEmpty ? "-" : device)  \(text)"
        }
    }

    /// The most requests that wait for a response, and the most devices whose attributes have names.
    private static let mostRequests = 10_000
    private static let mostDevices = 4096
    /// Longer values are cut.
    private static let longestValue = 256

    private struct Side: Hashable {
        var device: BluetoothAddress
        var isServedHere: Bool
    }

    private var requests: [Int64: (time: Int64, request: RecordedRequest)] = [:]
    private var types: [Side: [UInt16: BluetoothUUID]] = [:]
    private var heard: [BluetoothAddress: AdvertisementData] = [:]
    private var time: Int64 = 0
    private var ordered = OrderedRows()
    /// The counts so far.
    private(set) var summary = RecordingSummary()

    // MARK: Rows

    /// Takes an event, and returns the rows that are known now, in the order of their times.
    mutating func rows(for event: RecordedEvent) -> [Row] {
        time = event.time
        summary.count(event)
        for row in newRows(for: event) { ordered.append(row) }
        var rows = ordered.take()
        while let number = ordered.overdue, let (begin, request) = requests[number] {
            let row = Row(
                time: begin, device: Self.device(request.device), kind: .request,
                text: "\(description(request)): the response comes later")
            ordered.fill(number, with: row, orAtEnd: row)
            rows += ordered.take()
        }
        return rows
    }

    private mutating func newRows(for event: RecordedEvent) -> [Row] {
        switch event.content {
        case .adapter(let adapter): return [row(nil, .link, Self.text(adapter))]
        case .heard(let report):
            guard heard[report.device] != report.data else { return [] }
            if heard.count >= Self.mostDevices { heard = [:] }
            heard[report.device] = report.data
            return [row(report.device, .advertisement, Self.text(report))]
        case .device(let device): return [row(device.device, .link, Self.text(device))]
        case .request(let request): return begin(request)
        case .response(let response):
            end(response)
            return []
        case .connected(let link):
            return [row(link.device, .link, link.incoming == true ? "connected, by the device" : "connected")]
        case .disconnected(let link):
            return [row(link.device, link.by == .lost ? .error : .link, Self.text(link))]
        case .database(let database):
            add(database)
            return [row(database.device, .request, Self.text(database))]
        case .value(let value):
            let name = name(value.device, value.isServedHere, value.handle)
            let text = text(value.value, value.device, value.isServedHere, value.handle)
            let direction = value.isServedHere ? "sent as " : ""
            return [row(value.device, .value, "\(name): \(text) [\(direction)\(value.by.rawValue)]")]
        case .mtu(let mtu): return [row(mtu.device, .link, "MTU \(mtu.mtu)")]
        case .pairing(let pairing):
            return [row(pairing.device, pairing.step == "failed" ? .error : .link, Self.text(pairing))]
        case .note(let note): return [row(note.device, .note, "note (\(note.kind)): \(note.text)")]
        case .other(let other): return [row(nil, .note, "unknown event \(other.name)")]
        }
    }

    /// Returns the rest of the rows, with the requests that have no response.
    mutating func finish() -> [Row] {
        for (number, (begin, request)) in requests.sorted(by: { $0.key < $1.key }) {
            let text = "\(description(request)): no response in the recording"
            let device = Self.device(request.device)
            ordered.fill(
                number, with: Row(time: begin, device: device, kind: .error, text: text),
                orAtEnd: Row(time: time, device: device, kind: .error, text: text))
        }
        requests = [:]
        return ordered.take()
    }

    private func row(_ device: BluetoothAddress?, _ kind: Row.Kind, _ text: String) -> Row {
        Row(time: time, device: Self.device(device), kind: kind, text: text)
    }

    private static func device(_ device: BluetoothAddress?) -> String { device?.description ?? "" }

    /// Seconds with milliseconds.
    static func seconds(_ microseconds: Int64) -> String {
        let fraction = "\(microseconds / 1000 % 1000)"
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
    }

    // MARK: Requests

    /// A request is shown with its response, unless it gets none.
    private mutating func begin(_ request: RecordedRequest) -> [Row] {
        if request.operation.hasNoResponse {
            return [row(request.device, .value, description(request))]
        }
        if requests.count >= Self.mostRequests || requests[request.number] != nil {
            return [row(request.device, .request, description(request))]
        }
        requests[request.number] = (time, request)
        ordered.reserve(request.number)
        return []
    }

    private mutating func end(_ response: RecordedResponse) {
        guard let (begin, request) = requests.removeValue(forKey: response.number) else { return }
        summary.countFailure(response, of: request)
        var text = description(request)
        if let failure = response.failure { text += ": \(Self.text(failure))" }
        if let mtu = response.mtu { text += ": \(mtu)" }
        if let value = response.value {
            text += ": " + self.text(value, request.device, request.isServedHere, request.handle ?? 0, request.uuid)
        }
        for value in response.values ?? [] {
            text += " @\(Self.hexadecimal(value.handle)): "
            text += self.text(value.value, request.device, request.isServedHere, value.handle, request.uuid)
        }
        text += " [\(Self.seconds(time - begin)) s]"
        // The end of a search for attributes by their type is no error.
        let isError = response.failure != nil
        let kind: Row.Kind = isError ? .error : .request
        let device = Self.device(request.device)
        ordered.fill(
            response.number, with: Row(time: begin, device: device, kind: kind, text: text),
            orAtEnd: Row(time: time, device: device, kind: kind, text: "response to \(text)"))
    }

    private func description(_ request: RecordedRequest) -> String {
        var text = request.operation.rawValue
        if request.isServedHere { text = "asked by the device: \(text)" }
        if let client = request.client { text += " (\(client))" }
        if let handle = request.handle, let device = request.device {
            text += " " + name(device, request.isServedHere, handle)
        }
        if let handles = request.handles {
            text += " " + handles.prefix(16).map(Self.hexadecimal).joined(separator: ", ")
        }
        if let uuid = request.uuid { text += " \(uuid.name.map { "\($0) " } ?? "")(\(uuid))" }
        if let offset = request.offset { text += " from byte \(offset)" }
        for (key, value) in request.setting.sorted(by: { $0.key < $1.key }) { text += " \(key)=\(value)" }
        if let value = request.value {
            text += " = " + self.text(value, request.device, request.isServedHere, request.handle ?? 0)
        }
        return text
    }

    // MARK: Attributes

    private mutating func add(_ database: RecordedDatabase) {
        if types.count >= Self.mostDevices { types = [:] }
        var names: [UInt16: BluetoothUUID] = [:]
        for characteristic in database.services.flatMap(\.characteristics) {
            names[characteristic.valueHandle] = characteristic.uuid
            for descriptor in characteristic.descriptors { names[descriptor.handle] = descriptor.uuid }
        }
        types[Side(device: database.device, isServedHere: database.isServedHere)] = names
    }

    private func name(_ device: BluetoothAddress, _ isServedHere: Bool, _ handle: UInt16) -> String {
        let hexadecimal = "@\(Self.hexadecimal(handle))"
        guard let uuid = types[Side(device: device, isServedHere: isServedHere)]?[handle] else { return hexadecimal }
        guard let name = uuid.name else { return "\(uuid) \(hexadecimal)" }
        return "\(name) (\(uuid)) \(hexadecimal)"
    }

    private func text(
        _ value: [UInt8], _ device: BluetoothAddress?, _ isServedHere: Bool, _ handle: UInt16,
        _ type: BluetoothUUID? = nil
    ) -> String {
        let side = device.map { Side(device: $0, isServedHere: isServedHere) }
        let uuid = type ?? side.flatMap { types[$0]?[handle] } ?? 0x0000
        guard value.count > Self.longestValue else { return ReadableValue.textWithBytes(Data(value), uuid) }
        return ValueFormat.hex(Data(value.prefix(Self.longestValue))) + "... (\(value.count) bytes)"
    }

    static func hexadecimal(_ handle: UInt16) -> String { "0x" + String(hexadecimal: handle, digits: 4) }
}
