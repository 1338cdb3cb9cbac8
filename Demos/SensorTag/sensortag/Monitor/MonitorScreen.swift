import BlueZPrintableText
import BlueZScript
import CoreBlueZ
import SensorTagProgram

/// The monitor's screen as a function of its state, the time and the size.
enum MonitorScreen {
    private static let valueColumn = 18
    private static let valueWidth = 38
    private static let ageWidth = 7
    /// Lines above and below the table.
    private static let headHeight = 4
    private static let footHeight = 2
    /// A smaller graph shows nothing.
    private static let leastGraph = 8
    /// The width at which everything is shown.
    private static let leastWidth = valueColumn + valueWidth + 1 + leastGraph + ageWidth + 1
    /// A minute has sixty seconds: more columns than that would be empty ones.
    private static let greatestGraph = 60

    static func lines(_ state: MonitorState, now: Double, size: ScreenSize) -> [StyledLine] {
        let head = [
            title(state, width: size.columns), link(state, now: now), StyledLine(), header(width: size.columns),
        ]
        let rows = state.rows.map { row($0, now: now, isLive: state.isConnected, width: size.columns) }
        let room = max(0, size.rows - headHeight - footHeight)
        let notice = state.notice.isEmpty ? hidden(rows.count, in: room, width: size.columns) : state.notice
        let foot = [StyledLine(" \(notice)", .warning), keys(state)]
        // If there is space, blank lines separate the rows.
        let isAiry = rows.count * 2 <= room
        var table = rows.flatMap { isAiry ? [$0, StyledLine()] : [$0] }
        table = Array(table.prefix(room))
        table += Array(repeating: StyledLine(), count: room - table.count)
        return Array((head + table + foot).prefix(max(0, size.rows))).map { $0.clipped(to: size.columns) }
    }

    /// Says how many rows a small screen hides, and the size that shows everything.
    private static func hidden(_ rows: Int, in room: Int, width: Int) -> String {
        var parts: [String] = []
        if rows > room { parts.append("\(rows - room) \(rows - room == 1 ? "row" : "rows")") }
        if width < valueColumn + valueWidth { parts.append("parts of values") }
        if graphWidth(width) == 0 { parts.append("graphs and ages") }
        guard !parts.isEmpty else { return "" }
        let columns = max(width, leastWidth)
        return
            "Hidden: \(parts.joined(separator: ", ")); \(columns) x \(max(rows, room) + headHeight + footHeight) shows all"
    }

    private static func title(_ state: MonitorState, width: Int) -> StyledLine {
        var line = StyledLine(" SensorTag", .strong)
        if let generation = state.generation { line.append(" \(generation)", .strong) }
        line.append("  \(state.device)")
        let strength = state.rssi.map { "\($0) dBm" } ?? "unknown"
        let signalColumn = width - 13 - strength.count
        if let firmware = state.firmware.map({ "  firmware \($0)" }), line.width + firmware.count + 2 <= signalColumn {
            line.append(firmware, .faint)
        }
        line.pad(to: signalColumn, least: 2)
        line.append("signal ")
        line.append(SignalBars.text(state.rssi), .graph)
        line.append(" \(strength)")
        return line
    }

    private static func link(_ state: MonitorState, now: Double) -> StyledLine {
        func time(_ since: Double) -> String { Clock.text(Int(max(0, now - since))) }
        return switch state.link {
        case .connecting: StyledLine(" ○ Connecting...", .warning)
        case .connected(let since): StyledLine(" ● Connected for \(time(since))", .good)
        case .lost(let reason, let since): StyledLine(" ✗ \(reason); reconnecting for \(time(since))", .bad)
        case .ending: StyledLine(" ○ Switching off...", .warning)
        }
    }

    private static func header(width: Int) -> StyledLine {
        var line = StyledLine("   SENSOR", .faint)
        line.pad(to: valueColumn)
        line.append("VALUE", .faint)
        guard graphWidth(width) > 0 else { return line }
        line.pad(to: valueColumn + valueWidth + 1)
        line.append(Columns.left(graphWidth(width) < 11 ? "60 s" : "LAST MINUTE", graphWidth(width)), .faint)
        line.append(Columns.right("AGE", ageWidth), .faint)
        return line
    }

    private static func graphWidth(_ width: Int) -> Int {
        let room = width - valueColumn - valueWidth - 1 - ageWidth - 1
        return room < leastGraph ? 0 : min(room, greatestGraph)
    }

    private static func row(_ row: MonitorState.Row, now: Double, isLive: Bool, width: Int) -> StyledLine {
        let isOn = row.status == .on && isLive
        var line = StyledLine(" \(row.key) ", .faint)
        line.append(row.name, row.status == .off || !isLive ? .faint : .strong)
        line.pad(to: valueColumn)
        line.append(row, isLive: isLive)
        line = line.clipped(to: valueColumn + valueWidth)
        let graph = graphWidth(width)
        guard graph > 0 else { return line }
        line.pad(to: valueColumn + valueWidth + 1)
        line.append(Sparkline.text(row.samples, row.kind, now: now, width: graph), isOn ? .graph : .faint)
        if row.status == .on, let time = row.time {
            line.append(Columns.right(age(now - time), ageWidth), .faint)
        }
        return line
    }

    /// The age of a reading: tenths of seconds, then seconds, then minutes.
    static func age(_ seconds: Double) -> String {
        seconds < 9.95 ? "\(FixedPoint.text(max(0, seconds), decimals: 1)) s" : Columns.age(seconds)
    }

    /// The keys that currently have an effect.
    private static func keys(_ state: MonitorState) -> StyledLine {
        var line = StyledLine()
        guard state.link != .ending else { return line }
        let switches = state.rows.map(\.key)
        var actions = [("q", "quit")]
        if state.canCalibrate { actions.insert(("c", "calibrate"), at: 0) }
        if let first = switches.first, let last = switches.last {
            actions.insert((first == last ? "\(first)" : "\(first)-\(last)", "switch on or off"), at: 0)
        }
        for (key, action) in actions {
            line.append(" \(key)", .strong)
            line.append(" \(action)  ", .faint)
        }
        return line
    }
}

extension StyledLine {
    /// The values of a row, or the reason if there are none.
    fileprivate mutating func append(_ row: MonitorState.Row, isLive: Bool) {
        let style: Style = isLive ? .plain : .faint
        switch row.status {
        case .off: append("off", .faint)
        case .waiting: append(row.sensor == "keys" ? "no key pressed yet" : "waiting for a reading", .faint)
        case .failed(let error): append(error.message, .bad)
        case .on:
            for (index, field) in row.fields.enumerated() {
                if index > 0 { append("  ", style) }
                append(field, isLast: index == row.fields.count - 1, style)
            }
        }
    }

    private mutating func append(_ field: Report.Field, isLast: Bool, _ style: Style) {
        let isAxis = field.label.count == 1
        switch field.value {
        case .number(let value, let unit, let decimals):
            append("\(field.label) ", .faint)
            append(Columns.right(FixedPoint.text(value, decimals: decimals), 7), style)
            // Axes have one unit, after the last.
            if !isAxis || isLast { append(" \(unit)", .faint) }
        case .flag(let isSet):
            append(isSet ? "[\(field.label)]" : " \(field.label) ", isSet ? .pressed : .faint)
        case .text(let text): append(text.escapedForTerminal(), style)
        case .missing: append("\(field.label) -", .faint)
        }
    }
}
