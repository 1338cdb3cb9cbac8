import BlueZPrintableText
import BlueZScript

/// The screen of `gatt scan --live` as a function of what was heard, the time and the size.
struct LiveScan {
    /// What is shown of a device.
    struct Row: Equatable {
        var name: String
        /// Its formats, or its services and companies.
        var what: String
        var value: String
        /// In dBm.
        var rssi: Int?
    }

    private struct Entry {
        let key: DecodedDevices.Device
        var row: Row
        var time: Double
        /// The strength over several advertisements, by which the rows are sorted.
        var strength: Double
    }

    /// How many devices are kept at most: those that were heard last.
    static let limit = 1_000
    /// How often the rows are sorted, in seconds: a person can find a row again.
    static let sortingInterval = 5.0
    /// A device that was not heard for so long is dimmed, in seconds.
    private static let timeout = 15.0
    private static let (nameWidth, whatWidth, ageWidth, signalWidth) = (20, 16, 6, 10)

    private var entries: [Entry] = []
    private var indices: [DecodedDevices.Device: Int] = [:]
    private var sortedAt = -Double.infinity

    mutating func add(_ row: Row, of key: DecodedDevices.Device, at time: Double) {
        let strength = Double(row.rssi ?? -127)
        if let index = indices[key] {
            entries[index].row = row
            entries[index].time = time
            entries[index].strength += (strength - entries[index].strength) / 4
            return
        }
        if entries.count == Self.limit { forgetOldest() }
        indices[key] = entries.count
        entries.append(Entry(key: key, row: row, time: time, strength: strength))
    }

    /// Removes the tenth of the devices that was not heard for longest.
    private mutating func forgetOldest() {
        let limit = entries.map(\.time).sorted()[Self.limit / 10]
        entries.removeAll { $0.time < limit }
        index()
    }

    private mutating func index() {
        indices = Dictionary(entries.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sorts the rows by strength, if that was not done just now.
    private mutating func sort(at time: Double) {
        guard time - sortedAt >= Self.sortingInterval else { return }
        sortedAt = time
        // Equal ones keep their order, so that they do not change places.
        entries = entries.enumerated().sorted {
            ($1.element.strength, $0.offset) < ($0.element.strength, $1.offset)
        }.map(\.element)
        index()
    }

    mutating func lines(now: Double, size: ScreenSize) -> [StyledLine] {
        sort(at: now)
        let count = entries.count
        let title = StyledLine(
            count == 0 ? " Looking for devices..." : " \(count) \(count == 1 ? "device" : "devices")", .strong)
        let valueWidth = max(8, size.columns - Self.nameWidth - Self.whatWidth - Self.ageWidth - Self.signalWidth - 3)
        var header = StyledLine(" ")
        for (text, width) in [("NAME", Self.nameWidth), ("WHAT", Self.whatWidth), ("VALUE", valueWidth)] {
            header.append(Columns.left(text, width), .faint)
        }
        header.append(Columns.right("AGE", Self.ageWidth) + "  SIGNAL", .faint)
        let room = max(0, size.rows - 5)
        var foot = StyledLine(" q", .strong)
        foot.append(" quit", .faint)
        if count > room { foot.append("   \(count - room) more do not fit", .warning) }
        var lines = [title, StyledLine(), header] + entries.prefix(room).map { Self.line($0, now, valueWidth) }
        lines += Array(repeating: StyledLine(), count: max(0, size.rows - lines.count - 1))
        return Array((lines + [foot]).prefix(max(0, size.rows))).map { $0.clipped(to: size.columns) }
    }

    private static func line(_ entry: Entry, _ now: Double, _ valueWidth: Int) -> StyledLine {
        let age = max(0, now - entry.time)
        let isHeard = age < timeout
        var line = StyledLine(" ")
        func add(_ text: String, _ width: Int, _ style: StyledLine.Style) {
            line.append(Columns.left(cut(text.escapedForTerminal(), width - 1), width), isHeard ? style : .faint)
        }
        add(entry.row.name, nameWidth, .strong)
        add(entry.row.what, whatWidth, .plain)
        add(entry.row.value, valueWidth, .good)
        let text = age < 99.5 ? "\(Int(age.rounded())) s" : "\(Int(min(age, 1e9)) / 60) min"
        line.append(Columns.right(text, ageWidth), .faint)
        line.append("  \(SignalBars.text(entry.row.rssi))", isHeard ? .graph : .faint)
        line.append(Columns.right(entry.row.rssi.map { "\($0)" } ?? "", 5), isHeard ? .plain : .faint)
        return line
    }

    /// The text, which ends in "…" if it is too long.
    private static func cut(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
    }
}
