import BlueZPrintableText
import BlueZRecording
import CoreBlueZ

/// A recording as a page for web browsers, in one file that loads nothing.
struct RecordingPage {
    /// More rows make a page that browsers can't scroll.
    private static let mostRows = 50_000

    private let title: String
    private var rows = 0
    private var header: RecordingHeader?

    init(title: String) {
        self.title = title
    }

    /// The beginning, up to the rows.
    mutating func start(_ header: RecordingHeader) -> String {
        self.header = header
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(Self.escaped(title))</title>
            <style>
            body { font: 14px/1.4 sans-serif; margin: 1em; display: flex; flex-direction: column }
            /* It is known only in the end. */
            #summary { order: -1 }
            table { border-collapse: collapse }
            td, th { padding: 1px 8px; text-align: left; vertical-align: top; overflow-wrap: anywhere }
            td:first-child { text-align: right; font-variant-numeric: tabular-nums }
            td:nth-child(2) { font-family: monospace; white-space: nowrap }
            .advertisement { color: #666 }
            .link { background: #e8f0fe }
            .value { background: #eaf7ea }
            .error { background: #fde7e7; color: #900 }
            .note { background: #fff6d6 }
            </style></head><body>
            <div><h2>Timeline</h2>
            <table><thead><tr><th>Seconds</th><th>Device</th><th>Event</th></tr></thead><tbody>

            """
    }

    mutating func row(_ row: RecordingTimeline.Row) -> String {
        rows += 1
        guard rows <= Self.mostRows else { return "" }
        let cells = [RecordingTimeline.seconds(row.time), row.device, row.text].map { "<td>\(Self.escaped($0))</td>" }
        return "<tr class=\"\(row.kind.rawValue)\">\(cells.joined())</tr>\n"
    }

    /// The end, with the summary.
    func end(_ summary: RecordingSummary) -> String {
        var page = "</tbody></table>\n"
        if rows > Self.mostRows { page += "<p>\(rows - Self.mostRows) more events are left out: use --device</p>\n" }
        page += "</div>\n<div id=\"summary\"><h1>\(Self.escaped(title))</h1>\n"
        if let header { page += "<p>\(Self.escaped(summary.heading(header)))</p>\n" }
        page += "<table><thead><tr><th>Device</th><th>Name</th><th>Contents</th></tr></thead><tbody>\n"
        for (address, device) in summary.ordered {
            let notes = device.notes.map { "<br>\(Self.escaped($0))" }.joined()
            let name = Self.escaped(device.name ?? "")
            page += "<tr><td>\(address)</td><td>\(name)</td><td>\(Self.escaped(device.counts))\(notes)</td></tr>\n"
        }
        page += "</tbody></table>\n"
        if summary.leftOut > 0 { page += "<p>More devices, with \(summary.leftOut) events: use --device</p>\n" }
        for note in summary.notes { page += "<p class=\"note\">\(Self.escaped(note))</p>\n" }
        return page + "</div></body></html>\n"
    }

    /// Returns text that is safe in HTML, also in attributes.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.escapedForTerminal().unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
