import FoundationEssentials

/// How reports are written.
enum ReportFormat: Sendable {
    /// Aligned columns with units, the time in UTC.
    case text
    /// One JSON object a line; numbers in full precision.
    case json

    /// The line without its end.
    func line(_ report: Report, device: String, at date: Date) throws -> String {
        let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
        switch self {
        case .text: return Self.text(report, time: time)
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let record = JSONRecord(time: time, device: device, report: report)
            return String(decoding: try encoder.encode(record), as: UTF8.self)
        }
    }

    private static func text(_ report: Report, time: String) -> String {
        let values = report.fields.map { field in
            switch field.value {
            case .number(let value, let unit, let decimals):
                "\(field.label) \(padded(FixedPoint.text(value, decimals: decimals), to: 8)) \(unit)"
            case .flag(let isSet): "\(field.label) \(isSet ? "pressed" : "-")"
            case .text(let text): "\(field.label) \(TerminalText.escaped(text))"
            case .missing: "\(field.label) -"
            }
        }
        let clock = time.split(separator: "T").last.map(String.init) ?? time
        return "\(clock)  \(report.sensor)\(spaces(13 - report.sensor.count))  \(values.joined(separator: "  "))"
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

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(time, forKey: Key("time"))
        try container.encode(device, forKey: Key("device"))
        try container.encode(report.sensor, forKey: Key("sensor"))
        for field in report.fields {
            let key = Key(field.key)
            switch field.value {
            case .number(let value, _, _): try container.encode(value, forKey: key)
            case .flag(let isSet): try container.encode(isSet, forKey: key)
            case .text(let text): try container.encode(text, forKey: key)
            case .missing: try container.encodeNil(forKey: key)
            }
        }
    }
}
