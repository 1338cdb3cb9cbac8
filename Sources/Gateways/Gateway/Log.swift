import BlueZDBus
import CoreBlueZ
import Logging

/// The log for events without a caller to report to.
let log = Logger(escapingWithLabel: "CoreBlueZ.Gateway")

extension RateLimitedLog {
    /// Counts messages that were dropped.
    ///
    /// - Parameters:
    ///   - kind: the kind of messages, in the plural.
    ///   - topic: one of their topics.
    func dropped(_ kind: String, count: Int = 1, topic: String? = nil) {
        warn("Dropped \(kind)", count: count, details: topic.map { ["topic": String($0.prefix(128))] } ?? [:])
    }
}
