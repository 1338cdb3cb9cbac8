import DBus
import Logging
import TestSupport
import Testing

@testable import CoreBlueZ

/// What sends one wrong message sends thousands; the log has one of a kind and sender, and a count.
@Suite struct ComplaintTests {
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

    @Test("A warning is logged once a period for each kind and sender, and then how often it came again")
    @BluetoothActor func limited() async throws {
        let lines = Lock<[String]>([])
        let logger = Logger(label: "test") { _ in Recorder(lines: lines) }
        let complaints = Complaints(period: .milliseconds(50), logger: logger)
        for _ in 0..<200 { complaints.warn("Wrong", of: "RSSI", from: ":1.1", [:]) }
        complaints.warn("Wrong", of: "RSSI", from: ":1.2", [:])
        complaints.warn("Wrong", of: "Name", from: ":1.1", [:])
        #expect(lines.withLock { $0 } == ["Wrong", "Wrong", "Wrong"])
        try await Patience.wait(for: "the sum") { lines.withLock { $0.count } == 4 }
        #expect(lines.withLock { $0.last } == "Wrong, again x199")
        complaints.warn("Wrong", of: "RSSI", from: ":1.1", [:])
        #expect(lines.withLock { $0.count } == 5)
    }

    @Test("A sender that invents names fills neither the log nor the memory")
    @BluetoothActor func invented() {
        let lines = Lock<[String]>([])
        let logger = Logger(label: "test") { _ in Recorder(lines: lines) }
        let complaints = Complaints(logger: logger)
        for number in 0..<10_000 { complaints.warn("Wrong", of: "\(number)", from: ":1.1", [:]) }
        #expect(lines.withLock { $0.count } == 256)
    }
}
