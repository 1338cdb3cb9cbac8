import Testing

@testable import BlueZRecording

@Suite("Links of a capture") struct LinkTests {
    @Test(
        "The reason says who ended a link",
        arguments: [
            (0x13, "there"), (0x14, "there"), (0x15, "there"), (0x16, "here"), (0x08, "lost"), (0x22, "lost"),
            (0x3E, "lost"),
        ] as [(UInt8, String)])
    func ends(_ reason: UInt8, by: String) throws {
        let events = try imported { capture in
            capture.connect()
            capture.disconnect(reason: reason)
        }
        let expected = #"{"event":"disconnected","device":"\#(device)","reason":\#(reason),"by":"\#(by)"}"#
        #expect(lines(events).last == expected)
    }

    @Test("A link to a certain device is a request, and its failure a response") func request() throws {
        let events = try imported { capture in
            let parameters = [0x60, 0, 0x30, 0, 0, 1] + CaptureBuilder.address.reversed()
            capture.command(0x200D, parameters + [UInt8](repeating: 0, count: 13))
            capture.connect(status: 0x3E)
        }
        #expect(
            lines(events) == [
                #"{"event":"request","n":1,"op":"connect","device":"\#(device)"}"#,
                #"{"event":"response","n":1,"error":{"hci":62}}"#,
            ])
    }

    @Test("A link that the device made is incoming") func incoming() throws {
        let events = try imported { $0.connect(role: 1) }
        #expect(lines(events)[0].contains("\"incoming\":true"))
    }

    @Test("A link that is lost during discovery leaves the database incomplete") func lost() throws {
        let events = try imported { capture in
            capture.connect()
            capture.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
            capture.receive([0x11, 6, 1, 0, 4, 0, 0x0D, 0x18])
            capture.send([0x10, 5, 0, 0xFF, 0xFF, 0x00, 0x28])
            capture.disconnect(reason: 0x08)
        }
        #expect(
            lines(events).dropFirst(2) == [
                #"{"event":"database","device":"\#(device)","complete":false,"services":[{"uuid":"180D","handle":1,"end":4,"#
                    + #""primary":true,"characteristics":[]}]}"#,
                #"{"event":"response","n":1,"none":true}"#,
                #"{"event":"disconnected","device":"\#(device)","reason":8,"by":"lost"}"#,
            ])
    }

    @Test("A request by type does not end a discovery, before, within or after its parts", arguments: [0x2A00, 0x2B3A])
    func readByType(_ type: UInt16) throws {
        let read = [0x08, 1, 0, 0xFF, 0xFF] + CaptureBuilder.low(type)
        let events = try imported { capture in
            capture.connect()
            capture.send(read)
            capture.receive([0x09, 3, 3, 0, 7])
            capture.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
            capture.receive([0x11, 6, 1, 0, 4, 0, 0x0D, 0x18])
            capture.send(read)
            capture.receive([0x01, 0x08, 1, 0, 0x0A])
            capture.send([0x10, 5, 0, 0xFF, 0xFF, 0x00, 0x28])
            capture.receive([0x01, 0x10, 5, 0, 0x0A])
            capture.send(read)
            capture.receive([0x01, 0x08, 1, 0, 0x0A])
            capture.send([0x08, 1, 0, 4, 0, 0x03, 0x28])
            capture.receive([0x09, 7, 2, 0, 0x12, 3, 0, 0x37, 0x2A])
            capture.send([0x08, 3, 0, 4, 0, 0x03, 0x28])
            capture.receive([0x01, 0x08, 3, 0, 0x0A])
            capture.send([0x04, 4, 0, 4, 0])
            capture.receive([0x05, 1, 4, 0, 0x02, 0x29])
        }
        let discovery = lines(events).filter { $0.contains("\"services\"") || $0.contains("\"n\":2") }
        #expect(discovery.count == 3)
        #expect(discovery[1].contains("\"event\":\"database\"") && discovery[1].contains("\"complete\":true"))
        #expect(discovery[2] == #"{"event":"response","n":2}"#)
    }

    @Test("A second discovery is one request, and its database is recorded only if it is another") func again() throws {
        let events = try imported { capture in
            capture.discover()
            capture.disconnect()
            capture.discover()
            capture.disconnect()
        }
        let second = lines(events).dropFirst(5)
        #expect(
            Array(second) == [
                #"{"event":"connected","device":"\#(device)","addressType":"random"}"#,
                #"{"event":"request","n":2,"op":"services","device":"\#(device)"}"#, #"{"event":"response","n":2}"#,
                #"{"event":"disconnected","device":"\#(device)","reason":19,"by":"there"}"#,
            ])
    }

    @Test("What cannot be known is noted once per device") func notes() throws {
        let events = try imported { capture in
            for _ in 0..<2 {
                capture.send([0x0A, 3, 0])
                capture.receive([0x0B, 1, 2, 3, 4], captured: 3)
            }
            capture.receive([0x13])
        }
        let kinds = lines(events).filter { $0.contains("\"note\"") }
        #expect(kinds.count == 4)
        for kind in ["began late", "unknown database", "truncated", "unexpected"] {
            #expect(kinds.filter { $0.contains("\"kind\":\"\(kind)\"") }.count == 1)
        }
        #expect(lines(events).contains { $0.contains("\"response\"") && $0.contains("\"none\":true") })
        #expect(!lines(events).contains { $0.contains("\"value\":\"01") })
    }

    @Test("Attributes that were used without discovery are known by handle") func unknown() throws {
        let events = try imported { capture in
            capture.connect()
            capture.send([0x52, 9, 0, 1])
            capture.disconnect()
        }
        #expect(lines(events).contains { $0.hasSuffix(#""complete":false,"services":[],"unknown":[9]}"#) })
    }

    @Test("A link of classic Bluetooth is left out") func classic() throws {
        let events = try imported { capture in
            capture.event(0x03, [0, 0x41, 0] + CaptureBuilder.address.reversed() + [1, 0])
            capture.channel(4, received: true, [0x1B, 3, 0, 1], handle: 0x41)
            capture.disconnect(handle: 0x41)
        }
        #expect(lines(events).map { $0.contains("\"kind\":\"classic\"") } == [true, false])
        #expect(lines(events)[1].contains("\"kind\":\"nothing\""))
    }

    @Test("A frame that is longer than its packet, or of no link, is left out", arguments: [true, false])
    func tooLong(isLinkKnown: Bool) throws {
        let value: [UInt8] = [5, 0, 4, 0, 0x1B, 12, 0, 0xC4, 9]
        func frame(_ word: UInt16, _ bytes: [UInt8]) -> [UInt8] {
            CaptureBuilder.low(word) + CaptureBuilder.low(UInt16(bytes.count)) + bytes
        }
        let events = try imported { capture in
            if isLinkKnown { capture.connect() }
            for _ in 0..<2 { capture.add(2, received: true, frame(0x2040, value + [1, 2, 3])) }
            // Its second fragment is too long.
            capture.add(2, received: true, frame(0x2040, Array(value.prefix(6))))
            capture.add(2, received: true, frame(0x1040, Array(value.dropFirst(6)) + [1]))
            capture.add(2, received: true, frame(0x2FF1, value))
        }
        let notes = lines(events).filter { $0.contains("\"kind\":\"malformed\"") }
        #expect(notes.count >= 1 && notes[0].contains("\"device\"") == isLinkKnown)
        #expect(!lines(events).contains { $0.contains("\"event\":\"value\"") })
        #expect(lines(events).count { $0.contains("\"event\":\"connected\"") } == 1)
    }

    @Test("A write that the capture has only in part has no value", arguments: [0x12, 0x16] as [UInt8])
    func cutWrite(_ opcode: UInt8) throws {
        let events = try imported { capture in
            capture.connect()
            capture.send([opcode, 3, 0, 1, 0, 3, 4], captured: 6)
            capture.receive([opcode + 1])
        }
        let request = lines(events).first { $0.contains("\"request\"") }
        #expect(request?.contains("\"handle\":3") == true && request?.contains("\"value\"") == false)
        #expect(lines(events).contains { $0.contains("\"kind\":\"truncated\"") })
    }

    @Test("A search that the capture has only in part is for no UUID") func cutSearch() throws {
        let uuid = [UInt8](repeating: 0xAB, count: 16)
        let events = try imported { capture in
            capture.connect()
            capture.send([0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28] + uuid, captured: 9)
            capture.receive([0x07, 1, 0, 4, 0])
            capture.disconnect()
        }
        #expect(!lines(events).contains { $0.contains("\"database\"") })
    }

    @Test("Channels of Enhanced ATT are noted if the other side accepts them", arguments: [true, false])
    func enhanced(isAccepted: Bool) throws {
        let channel: UInt8 = isAccepted ? 0x41 : 0
        let events = try imported { capture in
            capture.connect()
            capture.channel(5, received: false, [0x17, 1, 10, 0, 0x27, 0, 64, 0, 64, 0, 8, 0, 0x40, 0])
            capture.channel(5, received: true, [0x18, 1, 10, 0, 64, 0, 64, 0, 8, 0, 0, 0, channel, 0])
            capture.channel(0x41, received: false, [3, 0, 0x0A, 3, 0])
        }
        #expect(lines(events).contains { $0.contains("\"kind\":\"enhanced\"") } == isAccepted)
    }

    @Test(
        "The method of a pairing follows from what both sides can",
        arguments: [
            ([3, 0, 1], [3, 0, 1], "just works"), ([4, 0, 5], [0, 0, 5], "passkey"),
            ([1, 0, 13], [1, 0, 13], "numeric comparison"),
            ([1, 0, 5], [1, 0, 5], "just works"), ([0, 1, 5], [0, 1, 5], "out of band"),
            ([0, 1, 13], [0, 0, 13], "out of band"),
            ([2, 0, 5], [2, 0, 1], "passkey"), ([0, 0, 5], [1, 0, 5], "just works"),
            ([3, 0, 5], [4, 0, 5], "just works"),
        ] as [([UInt8], [UInt8], String)])
    func pairing(_ request: [UInt8], _ response: [UInt8], method: String) throws {
        let events = try imported { capture in
            capture.connect()
            capture.channel(6, received: false, [1] + request + [16, 1, 1])
            capture.channel(6, received: true, [2] + response + [16, 1, 1])
            // A key that must not be in the recording.
            capture.channel(6, received: true, [6] + [UInt8](repeating: 0xAB, count: 16))
            capture.event(0x08, [0, 0x40, 0, 1])
            capture.event(0x08, [6, 0x40, 0, 0])
        }
        #expect(
            lines(events).dropFirst() == [
                #"{"event":"pairing","device":"\#(device)","step":"begun","by":"here"}"#,
                #"{"event":"pairing","device":"\#(device)","step":"method","method":"\#(method)"}"#,
                #"{"event":"pairing","device":"\#(device)","step":"ended"}"#,
                #"{"event":"pairing","device":"\#(device)","step":"failed","#
                    + #""text":"The link was not encrypted: controller's error 6"}"#,
            ])
        #expect(!lines(events).joined().lowercased().contains("abab"))
    }
}
