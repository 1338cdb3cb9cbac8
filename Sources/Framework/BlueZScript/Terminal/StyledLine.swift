/// A line for a terminal: pieces of text, each in a style.
package struct StyledLine: Equatable, Sendable {
    /// The meaning of a piece of text, which determines its colours.
    package enum Style: Sendable {
        case plain, strong, faint, good, warning, bad, graph, pressed

        /// The parameters of the control sequence Select Graphic Rendition (ECMA-48, 8.3.117).
        var parameters: String {
            switch self {
            case .plain: "0"
            case .strong: "1"
            case .faint: "2"
            case .good: "32"
            case .warning: "33"
            case .bad: "1;31"
            case .graph: "36"
            case .pressed: "30;42"
            }
        }
    }

    package struct Piece: Equatable, Sendable {
        package var text: String
        package var style: Style
    }

    package private(set) var pieces: [Piece] = []

    /// Its width in columns; every character counts as one.
    package var width: Int { pieces.reduce(0) { $0 + $1.text.count } }

    /// The text without styles.
    package var text: String { pieces.map(\.text).joined() }

    package init() {}

    package mutating func append(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { pieces.append(Piece(text: text, style: style)) }
    }

    /// Appends blanks up to a column, at least `least`.
    package mutating func pad(to column: Int, least: Int = 0) {
        append(String(repeating: " ", count: max(column - width, least)))
    }

    /// The line, cut to the width.
    package func clipped(to width: Int) -> StyledLine {
        var result = StyledLine()
        var rest = max(0, width)
        for piece in pieces where rest > 0 {
            let text = String(piece.text.prefix(rest))
            result.append(text, piece.style)
            rest -= text.count
        }
        return result
    }

    /// The line for a terminal; without control sequences if not coloured.
    package func rendered(isColoured: Bool) -> String {
        guard isColoured else { return text }
        return pieces.map { piece in
            piece.style == .plain ? piece.text : "\u{1B}[\(piece.style.parameters)m\(piece.text)\u{1B}[0m"
        }
        .joined()
    }
}

extension StyledLine {
    package init(_ text: String, _ style: Style = .plain) {
        append(text, style)
    }
}

/// Text in columns.
package enum Columns {
    package static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    package static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// The text, which ends in "…" if it is too long.
    package static func cut(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
    }

    /// How long ago something was: seconds, then minutes.
    package static func age(_ seconds: Double) -> String {
        seconds < 99.5 ? "\(Int(max(0, seconds).rounded())) s" : "\(Int(min(seconds, 1e9)) / 60) min"
    }
}

/// The signal strength as bars.
package enum SignalBars {
    /// The threshold of each bar, in dBm.
    private static let thresholds = [-90, -80, -70, -60]
    private static let bars = ["▂", "▄", "▆", "█"]

    /// Four characters: a bar for each threshold reached, a dot for the others.
    package static func text(_ rssi: Int?) -> String {
        zip(thresholds, bars).map { threshold, bar in (rssi ?? Int.min) >= threshold ? bar : "·" }.joined()
    }
}
