import DBus
import Logging
import PrintableText

/// The log of all fleets of a process.
let log = Logger(label: "CoreBlueZ.Fleet")

/// Logs what was dropped, at most once a second, with the number of those that were not logged. What other machines have
/// sent is escaped.
struct Complaints {
    private var last: BootInstant?
    private var unsaid = 0

    mutating func add(_ text: String, at now: BootInstant = .now) {
        if let last, now - last < .seconds(1) {
            unsaid += 1
            return
        }
        last = now
        log.warning("\(text.escapedForTerminal())", metadata: unsaid > 0 ? ["more": "\(unsaid)"] : nil)
        unsaid = 0
    }
}
