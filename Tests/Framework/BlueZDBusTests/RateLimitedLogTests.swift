import BlueZDBus
import Dispatch
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

    private func limitedLog(_ period: Duration, on loop: EventLoop) -> RateLimitedLog {
        let logger = Logger(label: "test") { [lines] _ in Recorder(lines: lines) }
        return RateLimitedLog(logger, period: period, on: loop)
    }

    /// A log whose sums come after the semaphore's signal, however long a test on a busy machine takes.
    private func heldLog() throws -> (RateLimitedLog, DispatchSemaphore) {
        let loop = try EventLoop(name: "log")
        let turn = DispatchSemaphore(value: 0)
        _ = loop.schedule(after: .zero) { turn.wait() }
        return (limitedLog(.milliseconds(1), on: loop), turn)
    }

    @Test("A warning is logged once a period for each kind and sender, and then how often it came again")
    func limited() async throws {
        let (log, turn) = try heldLog()
        for _ in 0..<200 { log.warn("Wrong", kind: ["what": "RSSI", "sender": ":1.1"]) }
        log.warn("Wrong", kind: ["what": "RSSI", "sender": ":1.2"])
        log.warn("Wrong", kind: ["what": "Name", "sender": ":1.1"])
        #expect(lines.withLock { $0 } == ["Wrong", "Wrong", "Wrong"])
        turn.signal()
        try await Patience.wait(for: "the sum") { lines.withLock { $0.count } == 4 }
        #expect(lines.withLock { $0.last } == "Wrong, again x199")
        log.warn("Wrong", kind: ["what": "RSSI", "sender": ":1.1"])
        #expect(lines.withLock { $0.count } == 5)
    }

    @Test("What happens several times at once is one warning with a count, whatever the count")
    func counted() async throws {
        let (log, turn) = try heldLog()
        log.warn("Dropped", count: 0)
        log.warn("Dropped", count: 7)
        for _ in 0..<2 { log.warn("Dropped", count: .max) }
        turn.signal()
        try await Patience.wait(for: "the sum") { lines.withLock { $0.count } == 2 }
        #expect(lines.withLock { $0 } == ["Dropped x7", "Dropped, again x\(Int.max)"])
    }

    @Test("A sender that invents names fills neither the log nor the memory")
    func invented() throws {
        let log = limitedLog(.seconds(60), on: try EventLoop(name: "log"))
        for number in 0..<10_000 { log.warn("Wrong", kind: ["what": "\(number)"]) }
        #expect(lines.withLock { $0.count } == 256)
    }
}
