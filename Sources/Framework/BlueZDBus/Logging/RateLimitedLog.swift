import Logging

/// Logs warnings that may occur thousands of times: the first of a kind immediately, and the number of repetitions
/// after a period. It can be used on any thread.
package final class RateLimitedLog: Sendable {
    private struct Kind: Hashable {
        let message: String
        let metadata: [String: String]
    }

    private let logger: Logger
    private let period: Duration
    private let loop: EventLoop
    private let repetitions = Lock<[Kind: Int]>([:])

    /// - Parameter loop: the event loop that runs the timer.
    package init(_ logger: Logger, period: Duration = .seconds(60), on loop: EventLoop) {
        self.logger = logger
        self.period = period
        self.loop = loop
    }

    /// - Parameters:
    ///   - message: the warning. Warnings with the same message and `kind` are of one kind.
    ///   - kind: further values that distinguish kinds, such as the sender.
    ///   - count: the number of occurrences.
    ///   - details: values that are logged only for the first warning.
    package func warn(
        _ message: String, kind metadata: [String: String] = [:], count: Int = 1,
        details: @autoclosure () -> [String: String] = [:]
    ) {
        guard count > 0 else { return }
        let kind = Kind(message: message, metadata: metadata)
        let isFirst = repetitions.withLock { repetitions in
            if let earlier = repetitions[kind] {
                // A sender may also send a count.
                let (sum, isTooLarge) = earlier.addingReportingOverflow(count)
                repetitions[kind] = isTooLarge ? .max : sum
                return false
            }
            // A sender that invents names must not fill the memory instead of the log.
            guard repetitions.count < 256 else { return false }
            repetitions[kind] = 0
            return true
        }
        guard isFirst else { return }
        write(message, metadata.merging(details()) { first, _ in first }, times: count > 1 ? count : nil)
        _ = loop.schedule(after: period) { [weak self] in self?.sumUp(kind) }
    }

    private func sumUp(_ kind: Kind) {
        let count = repetitions.withLock { $0.removeValue(forKey: kind) }
        guard let count, count > 0 else { return }
        write("\(kind.message), again", kind.metadata, times: count)
    }

    private func write(_ message: String, _ metadata: [String: String], times: Int?) {
        var metadata = metadata.mapValues { Logger.MetadataValue.string($0) }
        metadata["times"] = times.map { "\($0)" }
        logger.warning("\(message)", metadata: metadata)
    }
}
