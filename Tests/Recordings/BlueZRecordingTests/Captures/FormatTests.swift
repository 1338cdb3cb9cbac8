import Testing

@testable import BlueZRecording

@Suite("The formats of captures") struct FormatTests {
    @Test("Every format has the same events", arguments: CaptureBuilder.Format.allCases)
    func formats(_ format: CaptureBuilder.Format) throws {
        var builder = CaptureBuilder()
        builder.report(0, [2, 1, 6])
        builder.discover()
        builder.send([0x0A, 3, 0])
        builder.receive([0x0B, 1, 2, 3])
        builder.disconnect()
        let importer = try CaptureImporter(ByteSource(builder.file(format)))
        #expect(importer.header == RecordingHeader(origin: .capture, began: CaptureBuilder.began))
        let events = try imported(builder.file(format))
        #expect(events == (try imported(builder.file(.android))))
        #expect(events.count == 8)
        #expect(events.last?.time == Int64(builder.packets.count - 1) * CaptureBuilder.step)
    }

    @Test(
        "What is no capture is an error that names the byte",
        arguments: [
            ([], 0, "The file is empty"),
            (Array("btsnoop\0".utf8), 0, "The file ends within its header"),
            (Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0, 9], 8, "datalink 9"),
            (
                Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA] + [UInt8](repeating: 0xFF, count: 24), 16,
                "4294967295"
            ),
            (Array("hello, this is text".utf8), 0, "no capture"),
            ([0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 1, 2, 3, 4], 0, "byte order"),
            ([0x0A, 0x0D, 0x0D, 0x0A, 12, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A], 0, "12 bytes"),
        ] as [([UInt8], Int, String)])
    func errors(_ file: [UInt8], offset: Int, message: String) throws {
        let error = #expect(throws: CaptureError.self) { try imported(file) }
        #expect(error?.offset == offset)
        #expect(error?.message.contains(message) == true)
    }

    @Test("A capture that ends within a packet is imported up to there", arguments: CaptureBuilder.Format.allCases)
    func cut(_ format: CaptureBuilder.Format) throws {
        var builder = CaptureBuilder()
        builder.discover()
        let file = builder.file(format)
        let whole = try imported(file)
        let events = try imported(Array(file.dropLast(1)))
        #expect(lines(events).last?.contains("\"kind\":\"cut off\"") == true)
        #expect(Array(events.prefix(2)) == Array(whole.prefix(2)))
    }

    @Test("A classic pcap whose packets are not those of a host is an error", arguments: [1, 251, 256, 272])
    func otherLinkType(_ linkType: UInt16) {
        var builder = CaptureBuilder()
        builder.report(0, [])
        var file = builder.file(.tcpdump)
        file.replaceSubrange(20..<22, with: CaptureBuilder.low(linkType))
        let error = #expect(throws: CaptureError.self) { try imported(file) }
        #expect(error?.offset == 20)
        #expect(error?.message.contains(linkType == 1 ? "link type 1;" : "sniffer") == true)
    }

    @Test("A file without HCI packets is an error that says so", arguments: CaptureBuilder.Format.allCases)
    func nothing(_ format: CaptureBuilder.Format) {
        var builder = CaptureBuilder()
        // Audio.
        builder.add(3, received: true, [0x40, 0, 1, 7])
        if [.android, .wireshark, .wiresharkBig, .idevice, .tcpdump, .tcpdumpNanoseconds].contains(format) {
            let error = #expect(throws: CaptureError.self) { try imported(builder.file(format)) }
            #expect(error?.message == "The capture contains no HCI packets")
        }
        let empty = #expect(throws: CaptureError.self) { try imported(CaptureBuilder().file(format)) }
        #expect(empty?.offset == CaptureBuilder().file(format).count)
    }

    @Test("Packets of other link types in a pcapng file are named") func otherPackets() {
        var builder = CaptureBuilder()
        builder.report(0, [])
        var file = builder.file(.wireshark)
        file[file.firstIndex(of: 201)!] = 1
        let error = #expect(throws: CaptureError.self) { try imported(file) }
        #expect(error?.message.contains("link type 1;") == true)
    }

    @Test("A capture with classic Bluetooth only is imported with a note, at its time") func classicOnly() throws {
        var builder = CaptureBuilder()
        builder.event(0x0E, [1, 3, 12, 0])
        let importer = try CaptureImporter(ByteSource(builder.file(.android)))
        #expect(importer.header.began == CaptureBuilder.began)
        let events = lines(try imported(builder.file(.android)))
        #expect(events.count == 1 && events[0].contains("\"kind\":\"nothing\""))
    }

    @Test("A sniffer's capture is an error") func sniffer() {
        var file = CaptureBuilder()
        file.report(0, [])
        var bytes = file.file(.wireshark)
        let interface = bytes.firstIndex(of: 201)!
        bytes[interface] = 0x10
        bytes[interface + 1] = 0x01
        let error = #expect(throws: CaptureError.self) { try imported(bytes) }
        #expect(error?.message.contains("sniffer") == true)
    }
}
