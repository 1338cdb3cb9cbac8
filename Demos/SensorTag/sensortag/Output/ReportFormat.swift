import BlueZJSONLine
import BlueZPrintableText
import CoreBlueZ
import FoundationEssentials
import SensorTagProgram

/// The format of reports.
enum ReportFormat: Sendable {
    /// Aligned columns with units, the time in UTC.
    case text
    /// The same with the address between time and sensor: several tags.
    case textOfSeveral
    /// The same with the address in place of the sensor: the results of a scan.
    case found
    /// One JSON object per line; numbers in full precision.
    case json
    /// Comma-separated values under one header, with these columns after time, device and sensor.
    case csv([String])

    /// One line per value, for a single report.
    case list

    /// The line before the first report, if there is one.
    var header: String? {
        if case .csv(let columns) = self { CSV.header(columns) } else { nil }
    }

    /// The line without its end.
    func line(_ report: Report, device: String, at date: Date) throws -> String {
        let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
        switch self {
        case .text: return Self.text(report, report.sensor, time: time)
        case .textOfSeveral:
            return Self.text(report, "\(device.escapedForTerminal())  \(report.sensor)", time: time, width: 30)
        case .found: return Self.text(report, device.escapedForTerminal(), time: time)
        case .json: return try JSONLine.text(JSONRecord(time: time, device: device, report: report))
        case .list: return Self.list(report, device: device)
        case .csv(let columns): return CSV.line(report, columns, device: device, time: time)
        }
    }

    private static func text(_ report: Report, _ title: String, time: String, width: Int = 13) -> String {
        let values = report.fields.map { "\($0.label) \(text($0.value, width: 8))" }
        let clock = time.split(separator: "T").last.map(String.init) ?? time
        return "\(clock)  \(title)\(spaces(width - title.count))  \(values.joined(separator: "  "))"
    }

    private static func list(_ report: Report, device: String) -> String {
        let width = (report.fields.map(\.label.count).max() ?? 0) + 2
        let lines = report.fields.map { field in
            let label = field.label.replacing("_", with: " ")
            return "\(label)\(spaces(width - field.label.count))\(text(field.value, width: 0))"
        }
        return (["address\(spaces(width - "address".count))\(device.escapedForTerminal())"] + lines)
            .joined(separator: "\n")
    }

    private static func text(_ value: Report.Field.Value, width: Int) -> String {
        switch value {
        case .number(let number, let unit, let decimals):
            "\(padded(FixedPoint.text(number, decimals: decimals), to: width)) \(unit)"
        case .flag(let isSet): isSet ? "pressed" : "-"
        case .text(let text): text.escapedForTerminal()
        case .missing: "-"
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        spaces(width - text.count) + text
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }
}

/// A report as a JSON object.
private struct JSONRecord: Encodable {
    let time: String
    let device: String
    let report: Report

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Report.Key.self)
        try container.encode(time, forKey: Report.Key("time"))
        try container.encode(device, forKey: Report.Key("device"))
        try container.encode(report.sensor, forKey: Report.Key("sensor"))
        try report.encodeFields(into: &container)
    }
}
