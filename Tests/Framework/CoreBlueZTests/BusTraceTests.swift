import BlueZDBus
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// What the log's level `trace` shows.
@Suite(.virtualTime) struct BusTraceTests {
    private static let path = ObjectPath.root

    private static func signal(_ interface: String, _ values: [Value]) throws -> Message {
        let message = try Message.signal(path: path, interface: interface, member: "Happened")
        try message.write { (writer) throws(DBusError) in
            for value in values { try writer.append(value) }
        }
        return message
    }

    @Test(
        "Arguments are shown by their kinds, and what a terminal would obey is escaped",
        arguments: [
            (Value.byte(7), "7"), (.boolean(true), "true"), (.int16(-60), "-60"), (.uint16(8), "8"), (.int32(-1), "-1"),
            (.uint32(1), "1"), (.int64(-2), "-2"), (.uint64(2), "2"), (.double(0.5), "0.5"),
            (.string("a\u{1B}[2J\u{202E}b"), "\"a\\u{1b}[2J\\u{202e}b\""), (.objectPath(path), "/"),
            (.signature("ay"), "\"ay\""), (.bytes([0x0A, 0xFF]), "<0aff>"), (.strings(["a", "b"]), "[\"a\", \"b\"]"),
            (.structure([.byte(1), .string("x")]), "(1, \"x\")"), (.variant(.byte(3)), "3"),
            (.properties(["b": .byte(2), "a": .byte(1)]), "{\"a\": 1, \"b\": 2}"),
        ])
    func arguments(_ value: Value, _ text: String) throws {
        let message = try Self.signal("org.bluez.Test1", [value])
        #expect(BusTrace.line(.received(message)) == "< / org.bluez.Test1.Happened(\(text))")
    }

    @Test("Long arguments are cut, and the list of all objects is only named")
    func short() throws {
        let bytes = Value.bytes([UInt8](repeating: 0, count: 512))
        let long = BusTrace.line(.received(try Self.signal("org.bluez.Test1", [bytes])))
        #expect(long.hasSuffix("00...)") && long.utf8.count < 400)
        let message = try Message.signal(path: Self.path, interface: "org.bluez.Test1", member: "Happened")
        try message.write { (writer) throws(DBusError) in
            try writer.append(.dictionary(key: "o", value: "a{sa{sv}}", [:]))
        }
        #expect(BusTrace.line(.received(message)).hasSuffix("Happened(all objects)"))
    }

    @Test("What passes with the pairing agent is shown without its keys")
    func keys() throws {
        let call = try Message.methodCall(
            to: "org.example", path: Self.path, interface: "org.bluez.Agent1", member: "DisplayPasskey")
        try call.write { (writer) throws(DBusError) in try writer.append(.uint32(123_456)) }
        #expect(BusTrace.line(.received(call)) == "< call 0 / org.bluez.Agent1.DisplayPasskey(not shown)")
    }

    @Test("A call, its answer, a refusal and a silence are joined by a number")
    @BluetoothActor func numbers() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        let value = try fixture.value(of: peripheral)
        let connection = try #require(fixture.central.client.connection)
        var lines: [String] = []
        connection.trafficHandler = { lines.append(BusTrace.line($0)) }
        _ = try await value.readValue()
        await fixture.simulator.keepCalls()
        await fixture.simulator.refuse(
            "ReadValue", of: BlueZ.gattCharacteristic, SimulatorFixture.bluezError + "Failed", "no\u{7}")
        _ = await fixture.failure { try await value.readValue() }
        let path = try #require(value.boundPath)
        let starts = lines.map { $0.split(separator: " ", maxSplits: 2) }
        let reading = "\(path) org.bluez.GattCharacteristic1.ReadValue({})"
        let calls = starts.filter { $0.count == 3 && $0[2] == reading }
        try #require(calls.count == 2)
        #expect(lines.contains("< \(calls[0][1]) (<010203>)"))
        #expect(lines.contains("< \(calls[1][1]) org.bluez.Error.Failed: no\\u{7}"))
        let error = DBusError.timedOut("ReadValue got no reply")
        #expect(BusTrace.line(.noReply(serial: 9, error)).hasPrefix("! 9 org.freedesktop.DBus.Error."))
    }
}
