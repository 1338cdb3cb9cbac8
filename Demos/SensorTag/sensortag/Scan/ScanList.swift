import BlueZPrintableText
import BlueZScript
import CoreBlueZ
import SensorTagProgram

/// The devices whose advertisements were received, in the order in which they were found.
struct ScanList: Sendable {
    private(set) var entries: [(entry: ScanEntry, time: Double)] = []

    mutating func add(_ entry: ScanEntry, at time: Double) {
        if let index = entries.firstIndex(where: { $0.entry.address == entry.address }) {
            entries[index] = (entry, time)
        } else {
            entries.append((entry, time))
        }
    }
}

/// A device whose advertisement was received.
struct ScanEntry: Equatable, Sendable {
    var address: String
    var name: String?
    /// The generation by the advertisement; nil if the device does not seem to be a SensorTag.
    var generation: String?
    /// In dBm.
    var rssi: Int?
}

extension Report {
    init(_ entry: ScanEntry) {
        self.init(
            sensor: "scan",
            fields: [
                .text("name", entry.name),
                .number("rssi_dbm", "signal", entry.rssi.map(Double.init), "dBm", decimals: 0),
                .text("generation", entry.generation),
            ])
    }
}

/// The screen of `scan` as a function of the devices, the time and the size.
enum ScanScreen {
    /// Tags without an advertisement for this long, in seconds, are dimmed: connected, asleep or away.
    private static let timeout = 15.0
    private static let nameWidth = 26

    static func lines(_ list: ScanList, now: Double, size: ScreenSize) -> [StyledLine] {
        var header = StyledLine(" ")
        for (title, width) in [("ADDRESS", 19), ("NAME", nameWidth), ("GENERATION", 12), ("SIGNAL", 15)] {
            header.append(Columns.left(title, width), .faint)
        }
        header.append("AGE", .faint)
        let count = list.entries.count
        let title = StyledLine(
            count == 0 ? " Looking for SensorTags..." : " \(count) \(count == 1 ? "device" : "devices")", .strong)
        let rows = list.entries.map { row($0.entry, age: now - $0.time) }
        let room = max(0, size.rows - 5)
        var foot = StyledLine(" q", .strong)
        foot.append(" quit", .faint)
        if rows.count > room { foot.append("   \(rows.count - room) more do not fit", .warning) }
        var lines = [title, StyledLine(), header] + rows.prefix(room)
        lines += Array(repeating: StyledLine(), count: max(0, size.rows - lines.count - 1))
        return Array((lines + [foot]).prefix(max(0, size.rows))).map { $0.clipped(to: size.columns) }
    }

    private static func row(_ entry: ScanEntry, age: Double) -> StyledLine {
        let isHeard = age < timeout
        var line = StyledLine(" ")
        line.append(Columns.left(entry.address, 19), isHeard ? .plain : .faint)
        let name = String((entry.name.map { $0.escapedForTerminal() } ?? "-").prefix(nameWidth - 2))
        line.append(Columns.left(name, nameWidth), isHeard ? .strong : .faint)
        line.append(Columns.left(entry.generation ?? "-", 12), isHeard ? .plain : .faint)
        line.append(SignalBars.text(entry.rssi), isHeard ? .graph : .faint)
        line.append(Columns.left(entry.rssi.map { " \($0) dBm" } ?? "", 11), isHeard ? .plain : .faint)
        line.append(MonitorScreen.age(age), .faint)
        return line
    }
}
