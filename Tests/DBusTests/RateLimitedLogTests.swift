import DBus
import Logging
import TestSupport
import Testing

/// What sends one wrong message sends thousands; the log has one of a kind and sender, and a count.
@Suite struct RateLimitedLogTests {
    private struct Recorder: LogHandler {
        let lines: Lock<[String]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let times = event.metadata?["times"].map { " x\($0)" } ?? ""
            lines.withLock { $0.append("\(event.message)\(times)") }
        }
    }

    private let lines = Lock<[String]>([])

    private func limitedLog(_ period: Duration) throws -> RateLimitedLog {
        let logger = Logger(label: "test") { [lines] _ in Recorder(lines: lines) }
        return RateLimitedLog(logger, period: period, on: try EventLoop(name: "log"))
    }

    @Test("A warning is logged once a period for each kind and sender, and then how often it came again")
    func limited() async throws {
        // A test on a busy machine may take as long as the period.
        let log = try limitedLog(.milliseconds(500))
        for _ in 0..<200 { log.warn("Wrong", kind: ["what": "RSSI", "sender": ":1.1"]) }
        log.warn("Wrong", kind: ["what": "RSSI", "sender": ":1.2"])
        log.warn("Wrong", kind: ["what": "Name", "sender": ":1.1"])
        #expect(lines.withLock { $0 } == ["Wrong", "Wrong", "Wrong"])
        try await Patience.wait(for: "the sum") { lines.withLock { $0.count } == 4 }
        #expect(lines.withLock { $0.last } == "Wrong, again x199")
        log.warn("Wrong", kind: ["what": "RSSI", "sender": ":1.1"])
        #expect(lines.withLock { $0.count } == 5)
    }

    @Test("What happens several times at once is one warning with a count, whatever the count")
    func counted() async throws {
        let log = try limitedLog(.milliseconds(500))
        log.warn("Dropped", count: 0)
        log.warn("Dropped", count: 7)
        for _ in 0..<2 { log.warn("Dropped", count: .max) }
        try await Patience.wait(for: "the sum") { lines.withLock { $0.count } == 2 }
        #expect(lines.withLock { $0 } == ["Dropped x7", "Dropped, again x\(Int.max)"])
    }

    @Test("A sender that invents names fills neither the log nor the memory")
    func invented() throws {
        let log = try limitedLog(.seconds(60))
        for number in 0..<10_000 { log.warn("Wrong", kind: ["what": "\(number)"]) }
        #expect(lines.withLock { $0.count } == 256)
    }
}
