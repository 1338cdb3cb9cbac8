import Testing

@testable import BlueZRecording

/// Captures whose packets repeat much with few bytes.
@Suite("The growth of captures") struct GrowthTests {
    /// The bytes of the recording of a file.
    private static func recorded(_ builder: CaptureBuilder) throws -> (file: Int, recording: Int) {
        let file = builder.file(.packetLogger)
        return (file.count, try imported(file).reduce(0) { $0 + $1.line.count + 1 })
    }

    /// A database with many services, the first of which gets another UUID again and again.
    private static func database(_ rounds: UInt16) -> CaptureBuilder {
        var builder = CaptureBuilder()
        builder.connect()
        let low = CaptureBuilder.low
        for first in stride(from: UInt16(0), to: 2000, by: 40) {
            builder.send([0x10] + low(first * 16 + 1) + [0xFF, 0xFF, 0x00, 0x28])
            let services = (first..<first + 40).map { low($0 * 16 + 1) + low($0 * 16 + 16) + low(0x1000 + $0) }
            builder.receive([0x11, 6] + services.joined())
        }
        builder.send([0x10] + low(32001) + [0xFF, 0xFF, 0x00, 0x28])
        builder.receive([0x01, 0x10] + low(32001) + [0x0A])
        for round in 0..<rounds {
            builder.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
            builder.receive([0x11, 6, 1, 0, 16, 0] + low(round))
            builder.send([0x0A, 3, 0])
            builder.receive([0x0B, 0])
        }
        return builder
    }

    @Test(
        "A database that changes after each request is not repeated each time", .timeLimit(.minutes(1)),
        arguments: [100, 400])
    func database(rounds: UInt16) throws {
        let (file, recording) = try Self.recorded(Self.database(rounds))
        #expect(recording < 20 * file, "\(recording) of \(file)")
    }

    @Test("The services of many discoveries are recorded in the end") func lastDatabase() throws {
        let databases = try imported(Self.database(20).file(.android)).compactMap { event in
            if case .database(let database) = event.content { database } else { nil }
        }
        #expect(databases.last?.services.count == 2000)
    }

    @Test("Short reports of a device that has advertised much do not repeat it") func reports() throws {
        var builder = CaptureBuilder()
        for number in 0..<60 { builder.report(0, [27, 0xFF, UInt8(number), 0] + [UInt8](repeating: 7, count: 24)) }
        for number in 0..<8000 { builder.report(0, [2, 1, UInt8(number & 0xFF)]) }
        let (file, recording) = try Self.recorded(builder)
        #expect(recording < 20 * file, "\(recording) of \(file)")
    }

    @Test("Many values without bytes in one packet are not many lines") func values() throws {
        var builder = CaptureBuilder()
        builder.connect()
        let value: [UInt8] = [3, 0, 0, 0]
        for _ in 0..<4 { builder.receive([0x23] + [[UInt8]](repeating: value, count: 15_000).joined()) }
        let (file, recording) = try Self.recorded(builder)
        #expect(recording < 20 * file, "\(recording) of \(file)")
    }

    @Test("Ranges of handles are those of a set of handles") func ranges() {
        for _ in 0..<200 {
            var ranges = HandleRanges()
            var handles: Set<Int> = []
            for _ in 0..<20 {
                let start = Int.random(in: 1...60)
                let end = start + Int.random(in: -1...8)
                ranges.insert(start, end)
                if start <= end { handles.formUnion(start...end) }
                let (first, last) = (Int.random(in: 1...60), Int.random(in: 1...70))
                #expect(ranges.contain(first, last) == (first > last || handles.isSuperset(of: first...last)))
            }
        }
    }
}
