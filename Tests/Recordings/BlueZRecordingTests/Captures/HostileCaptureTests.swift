import TestSupport
import Testing

@testable import BlueZRecording

@Suite("Hostile captures") struct HostileCaptureTests {
    /// A capture with everything.
    private static var builder: CaptureBuilder {
        var builder = CaptureBuilder()
        builder.report(0, [2, 1, 6, 3, 3, 0x0D, 0x18])
        builder.discover()
        builder.send([0x0A, 3, 0])
        builder.receive([0x0B, 1, 2, 3], fragment: 3)
        builder.receive([0x23, 3, 0, 1, 0, 7])
        builder.channel(6, received: true, [1, 0, 0, 1, 16, 1, 1])
        builder.disconnect(reason: 8)
        return builder
    }

    @Test("A capture can be cut anywhere", arguments: CaptureBuilder.Format.allCases)
    func cut(_ format: CaptureBuilder.Format) throws {
        let file = Self.builder.file(format)
        for count in stride(from: 0, to: file.count, by: max(1, file.count / Rounds.count(60))) {
            _ = try? imported(Array(file[..<count]))
        }
    }

    @Test("Wrong bytes are events, notes or an error", arguments: CaptureBuilder.Format.allCases)
    func wrong(_ format: CaptureBuilder.Format) throws {
        let file = Self.builder.file(format)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<Rounds.count(40) {
            var bytes = file
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                for event in try imported(bytes) {
                    let header = RecordingHeader(origin: .capture, began: 0)
                    var reader = try RecordingReader(ByteSource(header.line + [10] + event.line + [10]))
                    #expect(try reader.next() == event, "\(bytes)")
                }
            } catch is CaptureError {}
        }
    }

    @Test("A value in front of its declaration is none, and no characteristic has another's descriptors")
    func values() throws {
        var builder = CaptureBuilder()
        builder.connect()
        builder.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
        builder.receive([0x11, 6, 1, 0, 0xFF, 0xFF, 0x0D, 0x18])
        for declaration: [UInt8] in [[2, 0, 2, 3, 0], [6, 0, 2, 9, 0], [8, 0, 2, 2, 0]] {
            builder.send([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
            builder.receive([0x09, 7] + declaration + [0x37, 0x2A])
        }
        builder.send([0x04, 3, 0, 0xFF, 0xFF])
        builder.receive([0x05, 1, 4, 0, 0x02, 0x29, 5, 0, 0x01, 0x29, 7, 0, 0x04, 0x29, 10, 0, 0x02, 0x29])
        let databases = try imported(builder.file(.android)).compactMap { event in
            if case .database(let database) = event.content { database } else { nil }
        }
        let characteristics = try #require(databases.last?.services.first?.characteristics)
        #expect(characteristics.map(\.handle) == [2, 6])
        #expect(characteristics.map { $0.descriptors.map(\.handle) } == [[4, 5], [10]])
    }

    @Test("A device that sends values in place of the company is remembered with a bounded number")
    func companies() throws {
        var builder = CaptureBuilder()
        for number in 0..<300 { builder.report(0, [5, 0xFF] + CaptureBuilder.low(UInt16(number)) + [1, 2]) }
        let counts = try imported(builder.file(.android)).compactMap { event in
            if case .heard(let report) = event.content { report.data.manufacturerData.count } else { nil }
        }
        #expect(counts.count == 300 && counts.allSatisfy { (1...64).contains($0) })
    }

    @Test("Many devices, links and attributes are forgotten in the order of their use") func limits() throws {
        var builder = CaptureBuilder()
        for number in 0..<4200 {
            let address = [UInt8(number & 0xFF), UInt8(number >> 8), 0, 0, 0, 0xC0]
            builder.event(0x3E, [2, 1, 0, 1] + address + [0, 0xC4])
            let link = UInt16(number / 8)
            if number % 8 == 0 { builder.connect(handle: link) }
            builder.channel(4, received: true, [0x1B] + CaptureBuilder.low(UInt16(number)) + [1], handle: link)
        }
        var importer = try CaptureImporter(ByteSource(builder.file(.btmon)))
        var most = (devices: 0, links: 0)
        while try importer.next() != nil {
            most = (max(most.devices, importer.devices.count), max(most.links, importer.links.count))
        }
        #expect(most == (CaptureImporter.mostDevices, CaptureImporter.mostLinks))
    }
}
