import BlueZPrintableText

/// A table of the devices of a scan, as a function of what was heard, the time and the size of the screen.
package struct DeviceTable<Device: Hashable & Sendable>: Sendable {
    package struct Column: Sendable {
        var title: String
        /// With the blank after it; nil for what the other columns leave.
        var width: Int?
        var style: StyledLine.Style

        package init(_ title: String, width: Int? = nil, _ style: StyledLine.Style = .plain) {
            self.title = title
            self.width = width
            self.style = style
        }
    }

    private struct Row {
        let device: Device
        var texts: [String]
        /// In dBm.
        var rssi: Int?
        var time: Double
        /// The signal over several advertisements, by which the rows are sorted.
        var strength: Double
    }

    /// How often the rows are sorted, in seconds: a person can find a row again.
    private let sortingInterval = 5.0
    /// A device that was not heard for so long is dimmed, in seconds.
    private let timeout = 15.0
    private let ageWidth = 6
    private let signalWidth = 11
    /// Title, blank line and header above the rows; blank line and keys below.
    private let frameHeight = 5

    private let columns: [Column]
    private let devices: String
    private let limit: Int
    private var rows: [Row] = []
    private var indices: [Device: Int] = [:]
    private var sortedAt = -Double.infinity

    /// - Parameters:
    ///   - columns: what stands before age and signal.
    ///   - devices: what is looked for, in the plural.
    ///   - limit: how many devices are kept at most: those that were heard last.
    package init(_ columns: [Column], devices: String = "devices", limit: Int = 1_000) {
        self.columns = columns
        self.devices = devices
        self.limit = limit
    }

    /// - Parameters:
    ///   - texts: one for each column.
    ///   - rssi: in dBm.
    ///   - time: in seconds.
    package mutating func add(_ texts: [String], rssi: Int?, of device: Device, at time: Double) {
        let strength = Double(rssi ?? -127)
        if let index = indices[device] {
            rows[index].texts = texts
            rows[index].rssi = rssi
            rows[index].time = time
            rows[index].strength += (strength - rows[index].strength) / 4
            return
        }
        if rows.count == limit { forgetOldest() }
        indices[device] = rows.count
        rows.append(Row(device: device, texts: texts, rssi: rssi, time: time, strength: strength))
    }

    /// Removes the tenth of the devices that was not heard for longest.
    private mutating func forgetOldest() {
        let oldest = rows.map(\.time).sorted()[limit / 10]
        rows.removeAll { $0.time < oldest }
        index()
    }

    private mutating func index() {
        indices = Dictionary(rows.enumerated().map { ($1.device, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sorts the rows by strength, if that was not done just now.
    private mutating func sort(at time: Double) {
        guard time - sortedAt >= sortingInterval else { return }
        sortedAt = time
        // Equal ones keep their order, so that they do not change places.
        rows = rows.enumerated().sorted {
            ($1.element.strength, $0.offset) < ($0.element.strength, $1.offset)
        }.map(\.element)
        index()
    }

    package mutating func lines(now: Double, size: ScreenSize) -> [StyledLine] {
        sort(at: now)
        let count = rows.count
        let title = count == 0 ? " Looking for \(devices)..." : " \(count) \(count == 1 ? "device" : "devices")"
        let rest = size.columns - columns.compactMap(\.width).reduce(0, +) - ageWidth - signalWidth - 2
        let widths = columns.map { $0.width ?? max(8, rest) }
        var header = StyledLine(" ")
        for (column, width) in zip(columns, widths) { header.append(Columns.left(column.title, width), .faint) }
        header.append(Columns.right("AGE", ageWidth) + "  SIGNAL", .faint)
        let room = max(0, size.rows - frameHeight)
        var foot = StyledLine(" q", .strong)
        foot.append(" quit", .faint)
        if count > room { foot.append("   \(count - room) more do not fit", .warning) }
        var lines = [StyledLine(title, .strong), StyledLine(), header]
        lines += rows.prefix(room).map { line($0, now, widths) }
        lines += Array(repeating: StyledLine(), count: max(0, size.rows - lines.count - 1))
        return Array((lines + [foot]).prefix(max(0, size.rows))).map { $0.clipped(to: size.columns) }
    }

    private func line(_ row: Row, _ now: Double, _ widths: [Int]) -> StyledLine {
        let age = max(0, now - row.time)
        let isHeard = age < timeout
        var line = StyledLine(" ")
        for (index, text) in row.texts.enumerated() {
            let (width, style) = (widths[index], columns[index].style)
            line.append(
                Columns.left(Columns.cut(text.escapedForTerminal(), width - 1), width), isHeard ? style : .faint)
        }
        line.append(Columns.right(Columns.age(age), ageWidth), .faint)
        line.append("  \(SignalBars.text(row.rssi))", isHeard ? .graph : .faint)
        line.append(Columns.right(row.rssi.map { "\($0)" } ?? "", 5), isHeard ? .plain : .faint)
        return line
    }
}
