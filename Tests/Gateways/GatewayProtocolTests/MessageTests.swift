import BlueZJSONLine
import BlueZValues
import Testing

@testable import GatewayProtocol

@Suite("Messages")
struct MessageTests {
    @Test("A request is the same after its way through JSON", arguments: Sample.operations)
    func requests(operation: GatewayOperation) throws {
        let request = Sample.request(operation)
        #expect(try GatewayRequest(payload: request.payload()) == request)
    }

    @Test("An event is the same after its way through JSON", arguments: Sample.events)
    func events(content: GatewayEvent.Content) throws {
        let event = Sample.event(content)
        #expect(try GatewayEvent(payload: event.payload()) == event)
    }

    @Test("A response is the same after its way through JSON, with a result or a failure")
    func responses() throws {
        let result = GatewayResponse(
            id: Sample.id, instance: Sample.instance, now: 99, outcome: .success(Sample.discovered))
        #expect(try GatewayResponse<DiscoverResult>(payload: result.payload()) == result)
        let failure = GatewayResponse<DiscoverResult>(
            id: Sample.id, instance: Sample.instance, now: 99,
            outcome: .failure(GatewayFailure(.bluez, name: "org.bluez.Error.Failed", text: "Not connected")))
        #expect(try GatewayResponse(payload: failure.payload()) == failure)
    }

    @Test("Whoever does not know a response's request can still read its clock")
    func unknownResponse() throws {
        let result = GatewayResponse(
            id: Sample.id, instance: Sample.instance, now: 99, outcome: .success(Sample.discovered))
        let read = try GatewayResponse<EmptyResult>(payload: result.payload())
        #expect(read.now == 99)
        #expect(read.outcome == .success(EmptyResult()))
    }

    @Test("A status is the same after its way through JSON, with everything and with little")
    func statuses() throws {
        let full = GatewayStatus(
            state: .online, instance: Sample.instance, software: ShortText("CoreBlueZ"), adapter: Sample.device,
            powered: true, slots: 10, free: 9, links: [Sample.device])
        #expect(try GatewayStatus(payload: full.payload()) == full)
        let little = GatewayStatus(state: .offline, instance: Sample.instance)
        #expect(try GatewayStatus(payload: little.payload()) == little)
    }

    @Test("Unknown keys are ignored")
    func unknownKeys() throws {
        let text = """
            {"version":1,"state":"offline","instance":"\(Sample.instance)","colour":{"a":[1,null]},"free":3}
            """
        #expect(try GatewayStatus(payload: bytes(text)).free == 3)
    }

    @Test(
        "A malformed request is an error that quotes nothing of it",
        arguments: [
            "", "{", "[]", "1", "null", "{}",
            #"{"version":"1"}"#,
            #"{"version":1,"id":"00","client":"c","op":"hello"}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"a/b","op":"hello"}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"\#u{1B}evil"}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"hello","notAfter":-1}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"hello","notAfter":1e99}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"read","device":"BC:6A:29:AC:16:6B","link":1}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"read","device":"BC:6A:29:AC:16","link":1,"handle":2}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"read","device":"BC:6A:29:AC:16:6B","link":1,"handle":65536}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"write","device":"BC:6A:29:AC:16:6B","link":1,"handle":2}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"write","device":"BC:6A:29:AC:16:6B","link":1,"handle":2,"value":"abc"}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"write","device":"BC:6A:29:AC:16:6B","link":1,"handle":2,"value":"zz"}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"write","device":"BC:6A:29:AC:16:6B","link":1,"handle":2,"value":"00","type":"loud"}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"connect","device":"BC:6A:29:AC:16:6B","lease":-1,"timeout":1}"#,
            #"{"version":1,"id":"000102030405060708090a0b0c0d0e0f","client":"c","op":"connect","device":"BC:6A:29:AC:16:6B","lease":1}"#,
        ])
    func malformedRequests(text: String) {
        let error = #expect(throws: MessageError.self) { try GatewayRequest(payload: bytes(text)) }
        #expect(error?.description.contains("evil") == false)
        #expect(error?.description.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
    }

    @Test(
        "The error of a malformed message names the key",
        arguments: [
            ("{}", #""version" is missing"#), (#"{"version":"1"}"#, #""version" is malformed"#),
            (#"{"version":1}"#, #""id" is missing"#), ("[]", "The message is malformed"),
        ])
    func namedKeys(text: String, message: String) {
        #expect(throws: MessageError(message)) { try GatewayRequest(payload: bytes(text)) }
    }

    @Test("A value over 512 bytes, too many links and a message over its limit are errors")
    func sizes() throws {
        let link = Sample.link
        let longest = Sample.request(
            .write(link, handle: 1, value: .init(repeating: 1, count: 512), .request, offset: 0))
        #expect(try GatewayRequest(payload: longest.payload()) == longest)
        let tooLong = Sample.request(
            .write(link, handle: 1, value: .init(repeating: 1, count: 513), .request, offset: 0))
        #expect(throws: MessageError.self) { try GatewayRequest(payload: tooLong.payload()) }
        let links = (0...64).map { LinkReference(device: Sample.device, link: UInt64($0)) }
        #expect(throws: MessageError.self) {
            try GatewayRequest(payload: Sample.request(.renew(links, lease: 1)).payload())
        }
        let padded = bytes("{\"version\":1,\"pad\":\"" + String(repeating: "x", count: 8192) + "\"}")
        #expect(throws: MessageError("The message has 8214 bytes; at most 8192 are allowed")) {
            try GatewayRequest(payload: padded)
        }
    }

    @Test(
        "The name of a failure must be one that a bus accepts",
        arguments: ["", "Failed", "org..x", "org.1x", "org.bl\u{E9}z.x", "org bluez.x", ".org.x"])
    func errorNames(name: String) throws {
        let failure = GatewayResponse<EmptyResult>(
            id: Sample.id, instance: Sample.instance, now: 1,
            outcome: .failure(GatewayFailure(.bluez, name: name, text: "")))
        #expect(throws: MessageError.self) { try GatewayResponse<EmptyResult>(payload: failure.payload()) }
    }

    @Test("Text with NUL, which D-Bus does not have, is an error")
    func nul() throws {
        let event = Sample.event(.changed(DeviceState(modalias: "bluetooth:v000D\0")))
        #expect(throws: MessageError.self) { try GatewayEvent(payload: event.payload()) }
    }

    @Test("Services are sent as gateways of all versions send them, and unknown flags are left out")
    func services() throws {
        func text(flags: String = #""read","notify""#, mtu: String = "517") -> String {
            #"{"services":[{"handle":32,"uuid":"0000aa00-0000-1000-8000-00805f9b34fb","primary":true,"#
                + #""includes":[64],"characteristics":[{"handle":33,"uuid":"0000aa01-0000-1000-8000-00805f9b34fb","#
                + #""flags":[\#(flags)],"mtu":\#(mtu),"descriptors":[{"handle":35,"#
                + #""uuid":"00002902-0000-1000-8000-00805f9b34fb"}]}]}],"state":{}}"#
        }
        func read(_ text: String) throws -> DiscoverResult {
            try DiscoverResult(JSONParser.values(in: text.utf8)[0], "a result")
        }
        var result = Sample.discovered
        (result.uuids, result.state) = (nil, DeviceState())
        #expect(try read(text()) == result)
        #expect(try read(text(flags: #""re\u0000ad","notify","sing","read""#)) == result)
        for mtu in ["22", "518", "true"] { #expect(throws: FileError.self) { try read(text(mtu: mtu)) } }
        var output = JSONOutput()
        result.write(to: &output)
        #expect(String(decoding: output.bytes, as: UTF8.self) == text())
    }

    @Test("A UUID has 36 characters and an address has colons, wherever a message has one: other forms are errors")
    func forms() throws {
        var count = 0
        func expectOneForm<M: GatewayMessage>(_ message: M) throws {
            let text = String(decoding: try message.payload(), as: UTF8.self)
            for range in text.ranges(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) {
                let uuid = String(text[range])
                for form in [uuid.replacing("-", with: ""), String(uuid.prefix(8)), "180F", ""] {
                    let changed = text[..<range.lowerBound] + form + text[range.upperBound...]
                    #expect(throws: MessageError.self) { try M(payload: bytes(String(changed))) }
                }
                let capitals = text[..<range.lowerBound] + uuid.uppercased() + text[range.upperBound...]
                #expect(try M(payload: bytes(String(capitals))) == message)
                count += 1
            }
            for range in text.ranges(of: /([0-9A-F]{2}:){5}[0-9A-F]{2}/) {
                let address = text[range]
                for form in [address.replacing(":", with: "-"), address.replacing(":", with: ""), ""] {
                    let changed = text[..<range.lowerBound] + form + text[range.upperBound...]
                    #expect(throws: MessageError.self) { try M(payload: bytes(String(changed))) }
                }
                count += 1
            }
        }
        func expectOneForm<R: JSONObject & Hashable>(of result: R) throws {
            try expectOneForm(
                GatewayResponse(id: Sample.id, instance: Sample.instance, now: 99, outcome: .success(result)))
        }
        for operation in Sample.operations { try expectOneForm(Sample.request(operation)) }
        try expectOneForm(Sample.event(.disconnected))
        try expectOneForm(Sample.advertisement)
        try expectOneForm(GatewayStatus(state: .online, instance: Sample.instance, adapter: Sample.device))
        try expectOneForm(of: HelloResult(adapter: Sample.device, powered: true, slots: 1, free: 1))
        try expectOneForm(of: RenewResult(links: [.init(device: Sample.device, link: 7, sequence: 1)], lease: 1))
        try expectOneForm(of: Sample.discovered)
        // Five UUIDs of the services, and the addresses of 14 requests, of which one has two, and of 5 other messages.
        #expect(count == 25)
    }

    @Test("A failure's text is cut between characters")
    func longText() {
        let text = String(repeating: "\u{E9}", count: 300)
        #expect(GatewayFailure(.bluez, text: text).text.utf8.count == 512)
    }

    @Test(
        "A battery over 100 %, a signal strength that no controller reports, and a wrong kind of address are errors")
    func ranges() throws {
        let event = Sample.event(.changed(DeviceState(battery: 101)))
        #expect(throws: MessageError.self) { try GatewayEvent(payload: event.payload()) }
        var loud = Sample.advertisement
        loud.rssi = 21
        #expect(throws: MessageError.self) { try GatewayAdvertisement(payload: loud.payload()) }
        let text = String(decoding: try Sample.advertisement.payload(), as: UTF8.self)
        let wrong = text.replacing("\"mac_type\":0", with: "\"mac_type\":2")
        #expect(wrong != text)
        #expect(throws: MessageError.self) { try GatewayAdvertisement(payload: bytes(wrong)) }
    }
}
