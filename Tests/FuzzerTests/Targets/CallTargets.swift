import BlueZValues

@testable import BlueZDBus
@testable import BlueZRecording
@testable import BlueZReplay
@testable import BlueZServer
@testable import BlueZSimulator

extension FuzzTarget {
    private static let device = "C0:01:02:03:04:05"
    /// A device with a link, a service, a value and a descriptor.
    private static let recording = [
        #""event":"connected","device":"\#(device)","addressType":"random""#,
        #""event":"request","n":1,"op":"services","device":"\#(device)""#,
        #""event":"database","device":"\#(device)","complete":true,"services":[{"uuid":"180D","handle":1,"#
            + #""characteristics":[{"uuid":"2A37","handle":2,"properties":["read","write","notify"],"#
            + #""descriptors":[{"uuid":"2902","handle":4}]}]}]"#,
        #""event":"response","n":1"#, #""event":"request","n":2,"op":"read","device":"\#(device)","handle":3"#,
        #""event":"response","n":2,"value":"01""#,
    ]

    /// The bytes choose calls, one after another.
    @SimulatorActor static func testCalls(_ bytes: [UInt8]) async throws {
        let header = RecordingHeader(origin: .capture, began: 0)
        let lines = recording.map { "{\"t\":0,\($0)}\n" }.joined()
        var reader = try RecordingReader(ByteSource(header.line + [10] + Array(lines.utf8)))
        var options = Replay.Options()
        options.isFast = true
        let bluez = try await ReplayedBlueZ(ReplayPlan(.capture) { try reader.next() }, options)
        let client = try Connection(to: .address(bluez.address), loop: SimulatorActor.loop)
        defer { client.close() }
        _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            client.hello(timeout: .seconds(60)) { continuation.resume(with: $0) }
        }
        var source = CallSource(bytes)
        var count = 0
        while !source.isEmpty, count < 64 {
            count += 1
            guard let message = source.call(to: bluez.daemon.server.objects) else { continue }
            client.call(message, timeout: nil) { _ in }
            // What the calls before have changed is seen by the next.
            if count % 4 == 0 { try await ping(client) }
        }
        try await ping(client)
        try check(bluez.daemon.isRunning, "the server has left the bus")
    }

    /// Waits until the server has replied to everything that it replies to at once.
    @SimulatorActor private static func ping(_ client: Connection) async throws {
        let call = try Message.methodCall(
            to: "org.bluez", path: .root, interface: "org.freedesktop.DBus.ObjectManager", member: "GetManagedObjects")
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            client.call(call, timeout: .seconds(60)) { continuation.resume(with: $0.map { _ in }) }
        }
    }
}

/// Makes calls and their arguments of bytes.
private struct CallSource {
    private static let words = [
        "", "org.bluez.Adapter1", "org.bluez.Device1", "Powered", "Alias", "Trusted", "Value", "offset", "type", "mtu",
        "link", "device", "Transport", "le", "bredr", "auto", "UUIDs", "RSSI", "Pattern", "DuplicateData", "Address",
        "C0:01:02:03:04:05", "AddressType", "random", "180D", "00002a37-0000-1000-8000-00805f9b34fb", "command",
        "request", "reliable", "peripheral", "broadcast", "KeyboardDisplay", "NoInputNoOutput",
    ]
    private static let variants = ["s", "b", "y", "q", "n", "u", "ay", "as", "o", "a{sv}", "a{qv}", "v", "d", "x"]

    private var bytes: ArraySlice<UInt8>
    private var paths: [ObjectPath] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isEmpty: Bool { bytes.isEmpty }

    private mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    private mutating func choice<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(byte()) % elements.count]
    }

    /// A call to one of the objects; nil if its arguments can't be sent.
    @SimulatorActor mutating func call(to objects: [ObjectPath: ServedObject]) -> Message? {
        paths = objects.keys.sorted()
        guard let path = choice(paths), let object = objects[path], let interface = choice(object.interfaces) else {
            return nil
        }
        switch byte() % 4 {
        case 0:
            guard let property = choice(interface.properties) else { return nil }
            let isRight = byte() % 4 > 0
            let value = value(isRight ? property.signature : choice(Self.variants) ?? "s")
            let arguments: [Value] = [.string(interface.name), .string(property.name), .variant(value)]
            return message(path, "org.freedesktop.DBus.Properties", "Set", arguments)
        case 1:
            guard let method = choice(interface.methods) else { return nil }
            return message(path, interface.name, method.name, [value(choice(Self.variants) ?? "s")])
        default:
            guard let method = choice(interface.methods) else { return nil }
            return message(path, interface.name, method.name, values(method.input))
        }
    }

    private func message(_ path: ObjectPath, _ interface: String, _ member: String, _ values: [Value]) -> Message? {
        guard let message = try? Message.methodCall(to: "org.bluez", path: path, interface: interface, member: member),
            (try? message.write({ (writer) throws(DBusError) in for value in values { try writer.append(value) } }))
                != nil
        else { return nil }
        return message
    }

    // MARK: Arguments

    private mutating func values(_ signature: String) -> [Value] {
        var rest = Array(signature)[...]
        var values: [Value] = []
        while !rest.isEmpty { values.append(value(&rest, 0)) }
        return values
    }

    private mutating func value(_ signature: String) -> Value {
        var rest = Array(signature)[...]
        return value(&rest, 0)
    }

    private mutating func value(_ rest: inout ArraySlice<Character>, _ depth: Int) -> Value {
        switch rest.popFirst() {
        case "y": return .byte(byte())
        case "b": return .boolean(byte() & 1 == 1)
        case "n": return .int16(Int16(truncatingIfNeeded: number()))
        case "q": return .uint16(UInt16(truncatingIfNeeded: number()))
        case "i": return .int32(Int32(truncatingIfNeeded: number()))
        case "u": return .uint32(UInt32(truncatingIfNeeded: number()))
        case "x": return .int64(number())
        case "t": return .uint64(UInt64(bitPattern: number()))
        case "d": return .double(Double(number()))
        case "o": return .objectPath(choice(paths) ?? .root)
        case "g": return .signature("s")
        case "v": return .variant(depth > 4 ? .byte(byte()) : value(choice(Self.variants) ?? "s", depth + 1))
        case "(":
            var fields: [Value] = []
            while let next = rest.first, next != ")" { fields.append(value(&rest, depth)) }
            _ = rest.popFirst()
            return .structure(fields)
        case "a": return array(&rest, depth)
        default: return .string(text())
        }
    }

    private mutating func value(_ signature: String, _ depth: Int) -> Value {
        var rest = Array(signature)[...]
        return value(&rest, depth)
    }

    private mutating func array(_ rest: inout ArraySlice<Character>, _ depth: Int) -> Value {
        let whole = rest
        let count = byte() % 5
        guard rest.first == "{" else {
            if rest.first == "y" {
                _ = rest.popFirst()
                return .bytes((0..<Int(count) * 8).map { _ in byte() })
            }
            // Once for the signature.
            _ = value(&rest, depth)
            let signature = whole.prefix(whole.count - rest.count)
            return .array(elements: String(signature), (0..<count).map { _ in value(String(signature), depth + 1) })
        }
        let inner = rest.dropFirst()
        _ = rest.popFirst()
        let key = String(inner.prefix(1))
        _ = rest.popFirst()
        let start = rest
        _ = value(&rest, depth)
        let element = String(start.prefix(start.count - rest.count))
        _ = rest.popFirst()
        var entries: [Value: Value] = [:]
        for _ in 0..<count { entries[value(key, depth + 1)] = value(element, depth + 1) }
        return .dictionary(key: key, value: element, entries)
    }

    private mutating func number() -> Int64 {
        let size = byte() % 9
        return (0..<size).reduce(0) { result, _ in result << 8 | Int64(byte()) }
    }

    private mutating func text() -> String {
        let length = byte()
        if length < 200 { return Self.words[Int(length) % Self.words.count] }
        return String(decoding: (0..<length - 200).map { _ in max(1, byte()) }, as: UTF8.self)
    }
}
