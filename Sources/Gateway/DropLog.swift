import CoreBlueZ
import PrintableText

/// Counts what is dropped, and logs it once a second at most.
@BluetoothActor final class DropLog {
    private struct Entry {
        var count = 0
        var example: String?
    }

    private var entries: [String: Entry] = [:]
    private var timer: ScheduledCall?
    /// How many were counted in all, by kind.
    private(set) var totals: [String: Int] = [:]

    deinit {
        timer?.cancel()
    }

    /// Counts dropped messages.
    ///
    /// - Parameters:
    ///   - kind: which, in the plural.
    ///   - topic: one of their topics.
    func note(_ kind: String, count: Int = 1, topic: String? = nil) {
        guard count > 0, entries[kind] != nil || entries.count < 16 else { return }
        if totals[kind] != nil || totals.count < 64 { totals[kind, default: 0] += count }
        entries[kind, default: Entry()].count += count
        entries[kind]?.example = topic
        guard timer == nil else { return }
        report()
        timer = BluetoothActor.after(.seconds(1)) { [weak self] in self?.tick() }
    }

    private func tick() {
        timer = nil
        guard !entries.isEmpty else { return }
        report()
        timer = BluetoothActor.after(.seconds(1)) { [weak self] in self?.tick() }
    }

    private func report() {
        for (kind, entry) in entries.sorted(by: { $0.key < $1.key }) {
            let example = entry.example.map { String($0.prefix(128)).escapedForTerminal() } ?? "-"
            log.warning("Dropped \(kind)", metadata: ["count": "\(entry.count)", "topic": "\(example)"])
        }
        entries = [:]
    }
}
