import Testing

@testable import BlueZRecording

@Suite("Events of a capture") struct ImportTests {
    @Test("A report and its scan response are combined") func advertisement() throws {
        let events = try imported { capture in
            capture.report(0, [2, 1, 6, 3, 3, 0x0D, 0x18])
            capture.report(4, [6, 9] + Array("Strap".utf8) + [4, 0xFF, 0x4C, 0, 7])
        }
        #expect(
            lines(events) == [
                #"{"event":"heard","device":"C0:01:02:03:04:05","addressType":"random","rssi":-60,"connectable":true,"#
                    + #""flags":"06","services":["180D"]}"#,
                #"{"event":"heard","device":"C0:01:02:03:04:05","addressType":"random","rssi":-60,"connectable":true,"#
                    + #""flags":"06","name":"Strap","services":["180D"],"manufacturer":{"004C":"07"}}"#,
            ])
    }

    @Test("A name ends with its first zero byte", arguments: [[0x54, 0x61, 0x67, 0, 0], [0x54, 0x61, 0x67, 0, 0x21]])
    func name(_ name: [UInt8]) throws {
        let events = try imported { $0.report(0, [UInt8(name.count + 1), 9] + name) }
        #expect(lines(events)[0].hasSuffix(#""connectable":true,"name":"Tag"}"#))
    }

    @Test("An extended advertisement is put together") func extended() throws {
        func report(_ status: UInt8, _ data: [UInt8]) -> [UInt8] {
            let start = [0x0D, 1, 1 | status << 5, 0, 1] + CaptureBuilder.address.reversed() + [1, 0, 0, 0x7F]
            return start + [0xC4] + [UInt8](repeating: 0, count: 9) + [UInt8(data.count)] + data
        }
        let events = try imported { capture in
            capture.event(0x3E, report(1, [6, 9] + Array("St".utf8)))
            capture.event(0x3E, report(0, Array("rap".utf8)))
        }
        #expect(events.count == 1)
        #expect(lines(events)[0].contains(#""rssi":-60,"connectable":true,"name":"Strap""#))
    }

    @Test("A discovery is one request, and its database is complete") func discovery() throws {
        let events = try imported { $0.discover() }
        #expect(
            lines(events) == [
                #"{"event":"connected","device":"C0:01:02:03:04:05","addressType":"random"}"#,
                #"{"event":"request","n":1,"op":"services","device":"C0:01:02:03:04:05"}"#,
                #"{"event":"database","device":"C0:01:02:03:04:05","complete":true,"services":[{"uuid":"180D","handle":1,"#
                    + #""end":4,"primary":true,"characteristics":[{"uuid":"2A37","handle":2,"properties":["read","notify"],"#
                    + #""descriptors":[{"uuid":"2902","handle":4}]}]}]}"#,
                #"{"event":"response","n":1}"#,
            ])
    }

    @Test(
        "Requests and responses",
        arguments: [
            (
                [0x0A, 3, 0], [0x0B, 1, 2], #""op":"read","device":"D","handle":3}"#,
                #"{"event":"response","n":2,"value":"0102"}"#
            ),
            (
                [0x0A, 3, 0], [0x0B], #""op":"read","device":"D","handle":3}"#,
                #"{"event":"response","n":2,"value":""}"#
            ),
            (
                [0x0C, 3, 0, 22, 0], [0x0D, 9], #""op":"read","device":"D","handle":3,"offset":22}"#,
                #"{"event":"response","n":2,"value":"09"}"#
            ),
            (
                [0x0A, 3, 0], [0x01, 0x0A, 3, 0, 0x05], #""op":"read","device":"D","handle":3}"#,
                #"{"event":"response","n":2,"error":{"att":5}}"#
            ),
            (
                [0x12, 4, 0, 1, 0], [0x13], #""op":"write","device":"D","handle":4,"value":"0100"}"#,
                #"{"event":"response","n":2}"#
            ),
            (
                [0x16, 3, 0, 5, 0, 7], [0x17, 3, 0, 5, 0, 7],
                #""op":"prepare","device":"D","handle":3,"offset":5,"value":"07"}"#, #"{"event":"response","n":2}"#
            ),
            (
                [0x18, 1], [0x19], #""op":"execute","device":"D","setting":{"write":"true"}}"#,
                #"{"event":"response","n":2}"#
            ),
            (
                [0x0E, 3, 0, 4, 0], [0x0F, 1, 2], #""op":"read","device":"D","handles":[3,4]}"#,
                #"{"event":"response","n":2,"value":"0102"}"#
            ),
            (
                [0x08, 1, 0, 9, 0, 0x37, 0x2A], [0x09, 3, 3, 0, 8], #""op":"read","device":"D","uuid":"2A37"}"#,
                #"{"event":"response","n":2,"values":[{"handle":3,"value":"08"}]}"#
            ),
            (
                [0x02, 0, 2], [0x03, 185, 0], #""op":"mtu","device":"D","setting":{"mtu":"512"}}"#,
                #"{"event":"response","n":2,"mtu":185}"#
            ),
        ] as [([UInt8], [UInt8], String, String)])
    func requests(_ request: [UInt8], _ response: [UInt8], recorded: String, answer: String) throws {
        let events = try imported { capture in
            capture.discover()
            capture.send(request)
            capture.receive(response)
        }
        let after = lines(events).dropFirst(4)
        let expected = #"{"event":"request","n":2,"# + recorded.replacing("\"D\"", with: "\"\(device)\"")
        #expect(Array(after.prefix(2)) == [expected, answer])
        #expect(after.dropFirst(2).allSatisfy { $0.contains("\"mtu\"") })
    }

    @Test(
        "Values and commands, from either side",
        arguments: [
            ([0x1B, 3, 0, 7], true, #"{"event":"value","device":"D","handle":3,"value":"07","by":"notification"}"#),
            ([0x1D, 3, 0, 7], true, #"{"event":"value","device":"D","handle":3,"value":"07","by":"indication"}"#),
            (
                [0x23, 3, 0, 1, 0, 7], true,
                #"{"event":"value","device":"D","handle":3,"value":"07","by":"notification"}"#
            ),
            (
                [0x52, 3, 0, 7], false,
                #"{"event":"request","n":2,"op":"command","device":"D","handle":3,"value":"07"}"#
            ),
            (
                [0x52, 9, 0, 7], true,
                #"{"event":"request","n":2,"op":"command","device":"D","server":"here","handle":9,"value":"07"}"#
            ),
            (
                [0x1B, 9, 0, 7], false,
                #"{"event":"value","device":"D","server":"here","handle":9,"value":"07","by":"notification"}"#
            ),
        ] as [([UInt8], Bool, String)])
    func values(_ packet: [UInt8], isReceived: Bool, line: String) throws {
        let events = try imported { capture in
            capture.discover()
            capture.channel(4, received: isReceived, packet)
        }
        #expect(lines(events).dropFirst(4).contains(line.replacing("\"D\"", with: "\"\(device)\"")))
    }

    @Test("A packet in fragments is put together", arguments: [1, 3, 4, 7])
    func fragments(_ size: Int) throws {
        let value = [UInt8](0..<50)
        let events = try imported { capture in
            capture.discover()
            capture.receive([0x1B, 3, 0] + value, fragment: size)
        }
        guard case .value(let recorded)? = events.last?.content else { throw CaptureError(offset: 0, message: "none") }
        #expect(recorded.value == value)
    }
}
