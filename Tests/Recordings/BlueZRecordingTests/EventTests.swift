import BlueZJSONLine
import BlueZValues
import Testing

@testable import BlueZRecording

/// A recording of these lines, after a header.
func recording(_ lines: [String]) -> ByteSource {
    let header = #"{"gatt-recording":1,"origin":"bluetoothd","began":"2026-11-26T10:00:00.000000Z"}"#
    return ByteSource(Array(([header] + lines).map { $0 + "\n" }.joined().utf8))
}

func events(_ lines: [String]) throws -> [RecordedEvent] {
    var reader = try RecordingReader(recording(lines))
    var events: [RecordedEvent] = []
    while let event = try reader.next() { events.append(event) }
    return events
}

/// One line for each kind of event, as the writer writes it.
let everyLine = [
    #"{"t":0.000000,"event":"adapter","adapter":"hci0","address":"00:AA:01:00:00:42","powered":true}"#,
    #"{"t":0.000001,"event":"heard","device":"C0:01:02:03:04:05","addressType":"random","rssi":-60,"connectable":true,"#
        + #""flags":"06","name":"Strap \"1\"\u001b","services":["180D"],"manufacturer":{"004C":"0215"},"#
        + #""serviceData":{"180F":"64"},"txPower":4,"appearance":833,"structures":{"26":"00"}}"#,
    #"{"t":0.500000,"event":"device","device":"C0:01:02:03:04:05","name":"Strap","alias":"Strap","icon":"phone","#
        + #""appearance":833,"services":["180D"],"rssi":-61,"paired":false,"bonded":false,"trusted":true,"blocked":false,"#
        + #""connected":true,"resolved":true,"removed":true}"#,
    #"{"t":1.000000,"event":"request","n":1,"op":"write","client":"a","device":"C0:01:02:03:04:05","server":"here","#
        + #""handle":3,"handles":[3,4],"uuid":"2A37","offset":1,"value":"00ff","setting":{"type":"request"}}"#,
    #"{"t":1.000000,"event":"response","n":1,"value":"","values":[{"handle":3,"value":"01"}],"mtu":185}"#,
    #"{"t":1.000000,"event":"response","n":1,"error":{"att":14}}"#,
    #"{"t":1.000000,"event":"response","n":1,"error":{"hci":62}}"#,
    #"{"t":1.000000,"event":"response","n":1,"error":{"name":"org.bluez.Error.Failed","text":"no"}}"#,
    #"{"t":1.000000,"event":"response","n":1,"none":true}"#,
    #"{"t":2.000000,"event":"connected","device":"C0:01:02:03:04:05","addressType":"public","mtu":23,"incoming":true}"#,
    #"{"t":2.000000,"event":"disconnected","device":"C0:01:02:03:04:05","reason":8,"by":"lost"}"#,
    #"{"t":2.000000,"event":"database","device":"C0:01:02:03:04:05","server":"here","complete":true,"services":["#
        + #"{"uuid":"180D","handle":1,"end":9,"primary":false,"includes":[{"handle":20,"end":22,"uuid":"180F"}],"#
        + #""characteristics":[{"uuid":"2A37","handle":2,"valueHandle":5,"properties":["read","notify"],"#
        + #""descriptors":[{"uuid":"2902","handle":6}]}]}],"unknown":[77]}"#,
    #"{"t":2.000000,"event":"value","device":"C0:01:02:03:04:05","server":"here","handle":3,"value":"01","by":"socket"}"#,
    #"{"t":2.000000,"event":"mtu","device":"C0:01:02:03:04:05","mtu":185}"#,
    #"{"t":2.000000,"event":"pairing","device":"C0:01:02:03:04:05","step":"failed","method":"passkey","reason":4,"#
        + #""text":"no","by":"there"}"#,
    #"{"t":2.000000,"event":"note","device":"C0:01:02:03:04:05","kind":"truncated","text":"Cut"}"#,
    #"{"t":2.000000,"event":"later","list":[1,"two",{"three":null},true,1.5e3]}"#,
]

@Suite("Events of a recording") struct EventTests {
    @Test("Every event is written as it was read", arguments: everyLine)
    func roundTrip(_ line: String) throws {
        let read = try events([line])
        #expect(read.map { String(decoding: $0.line, as: UTF8.self) } == [line])
    }

    @Test("Unknown keys are ignored, and what is missing stays unknown") func unknown() throws {
        let read = try events([#"{"t":7,"event":"mtu","new":{"deep":[1]},"device":"C0-01-02-03-04-05","mtu":23}"#])
        let device = try #require(BluetoothAddress("C0:01:02:03:04:05"))
        #expect(read == [RecordedEvent(time: 7_000_000, .mtu(RecordedMTU(device: device, mtu: 23)))])
    }

    @Test(
        "A wrong line is an error that names it",
        arguments: [
            ("", "found 0 values"), ("[1]", "Expected the event, which is an object, found a list"),
            ("{} {}", "Expected one object in the line, found 2 values"),
            (#"{"t":1}"#, "\"event\" is missing"),
            (#"{"event":"mtu"}"#, "\"t\" is missing"), (#"{"t":-1,"event":"mtu"}"#, "t: Expected seconds with"),
            (#"{"t":1.0000001,"event":"mtu"}"#, "t: Expected seconds"),
            (#"{"t":1e9,"event":"mtu"}"#, "t: Expected seconds"),
            (#"{"t":1,"event":"mtu","device":"x","mtu":23}"#, "device: Expected an address, found \"x\""),
            (#"{"t":1,"event":"mtu","device":"C0:01:02:03:04:05","mtu":65536}"#, "from 0 to 65535"),
            (#"{"t":1,"event":"request","n":1,"op":"read","value":"0"}"#, "value: Expected hexadecimal digits"),
            (#"{"t":1,"event":"request","n":1,"op":"read","handle":"3"}"#, "handle: Expected a whole number"),
            (#"{"t":1,"event":"request","n":1,"op":"read","server":"there"}"#, "server: Expected here, found"),
            (
                #"{"t":1,"event":"value","device":"C0:01:02:03:04:05","handle":1,"value":"","by":"x"}"#,
                "by: Expected one of signal"
            ),
            (#"{"t":1,"event":"mtu","t":1}"#, "twice"), (#"{"t":0,"event":"x"}"#, "The time is less"),
            ("{\"t\":1,\"event\":\"\u{7f}\"", "Expected a comma or }"),
            (String(repeating: "[", count: 100), "nested more than 32 deep"),
        ])
    func errors(_ line: String, message: String) throws {
        let lines = [#"{"t":0.5,"event":"note","kind":"a","text":"b"}"#, line]
        let error = #expect(throws: FileError.self) { try events(lines) }
        #expect(error?.line == 3)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("A line can't be long or have many values") func large() {
        let text = #"{"t":1,"event":"note","text":""# + String(repeating: "x", count: 1 << 20) + #""}"#
        #expect(throws: FileError(2, "The line has more than 1048576 bytes")) { try events([text]) }
        let values = #"{"t":1,"event":"x","y":["# + String(repeating: "1,", count: 300_000) + "1]}"
        let error = #expect(throws: FileError.self) { try events([values]) }
        #expect(error?.line == 2 && error?.message.contains("too many values") == true)
    }

    @Test("A line that is cut off is an error, after the lines before it") func cutOff() throws {
        let whole = everyLine.prefix(2).joined(separator: "\n")
        var reader = try RecordingReader(
            ByteSource(RecordingHeader(origin: .capture, began: 0).line + [10] + Array(whole.utf8)))
        #expect(try reader.next() != nil)
        let error = #expect(throws: FileError.self) { try reader.next() }
        #expect(error == FileError(3, "The line is cut off"))
    }

    @Test(
        "A first line that is none is an error",
        arguments: [
            ("", "The file is empty"), ("{}\n", "This is no recording"),
            (#"{"gatt-recording":2}"# + "\n", "has version 2"),
            (#"{"gatt-recording":1,"origin":"x"}"# + "\n", "origin: Expected bluetoothd or capture"),
            (#"{"gatt-recording":1,"origin":"capture","began":"now"}"# + "\n", "began: Expected a time"),
        ])
    func header(_ text: String, message: String) {
        let error = #expect(throws: FileError.self) { try RecordingReader(ByteSource(Array(text.utf8))) }
        #expect(error?.message.contains(message) == true)
    }

    @Test("The writer keeps the order of times, and replaces what a reader would refuse") func writer() throws {
        var bytes: [UInt8] = []
        var writer = try RecordingWriter(RecordingHeader(origin: .capture, began: 5, program: ["a b"], bluez: "5.66")) {
            bytes += $0
        }
        let device = try #require(BluetoothAddress("C0:01:02:03:04:05"))
        try writer.append(RecordedEvent(time: 10, .mtu(RecordedMTU(device: device, mtu: 23))))
        try writer.append(RecordedEvent(time: 9, .mtu(RecordedMTU(device: device, mtu: 24))))
        let large = [UInt8](repeating: 0, count: 1 << 20)
        try writer.append(
            RecordedEvent(time: 11, .value(RecordedValue(device: device, handle: 1, value: large, by: .signal))))
        var reader = try RecordingReader(ByteSource(bytes))
        #expect(reader.header == RecordingHeader(origin: .capture, began: 5, program: ["a b"], bluez: "5.66"))
        #expect(try reader.next()?.time == 10)
        #expect(try reader.next()?.time == 10)
        guard case .note(let note)? = try reader.next()?.content else {
            Issue.record("no note")
            return
        }
        #expect(note.kind == "dropped" && note.device == device)
    }

    @Test(
        "Times are those of the calendar",
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"), (1_795_687_200_000_001, "2026-11-26T10:00:00.000001Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
        ] as [(Int64, String)])
    func times(_ microseconds: Int64, text: String) {
        #expect(RecordingTime.text(microseconds) == text)
        #expect(RecordingTime.microseconds(text) == microseconds)
    }

    @Test("Wrong bytes are an error or another event") func wrong() throws {
        let text = Array(everyLine.map { $0 + "\n" }.joined().utf8)
        let header = RecordingHeader(origin: .capture, began: 0).line + [10]
        for _ in 0..<300 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...4) {
                bytes[Int.random(in: bytes.indices)] = UInt8.random(in: 0...255)
            }
            var reader = try RecordingReader(ByteSource(header + bytes))
            do {
                while let event = try reader.next() {
                    var again = try RecordingReader(ByteSource(header + event.line + [10]))
                    #expect(try again.next() == event)
                }
            } catch let error as FileError {
                #expect(error.line > 1 && error.line <= everyLine.count + 4)
            }
        }
    }
}
