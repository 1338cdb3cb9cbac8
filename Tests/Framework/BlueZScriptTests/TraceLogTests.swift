import Logging
import Testing

@testable import BlueZScript

@Suite("The log of a program") struct TraceLogTests {
    @Test(
        "A command prints errors only, with --trace everything from the framework",
        arguments: [
            (["read", "Strap"], Logger.Level.error, Logger.Level.error), (["--trace"], .trace, .info),
            (["write", "--", "--trace"], .error, .error),
        ])
    func level(arguments: [String], framework: Logger.Level, others: Logger.Level) {
        #expect(TraceLog.level(of: "CoreBlueZ", arguments) == framework)
        #expect(TraceLog.level(of: "DBus", arguments) == others)
    }

    @Test("A line of the trace is one line, with what a terminal would obey escaped")
    func line() {
        let name = "\u{1B}[2J\u{07}evil\u{0A}line\u{9B}\u{202E}"
        let event = LogEvent(
            level: .warning, message: "Lost \(name)", metadata: ["error": "\(name)", "count": "2"], source: nil,
            file: #fileID, function: #function, line: #line)
        let escaped = "\\u{1b}[2J\\u{7}evil\\u{a}line\\u{9b}\\u{202e}"
        let line = TraceLog.line(event)
        #expect(line.hasSuffix(" warning: Lost \(escaped) count=2 error=\(escaped)"))
        #expect(!line.contains("\n") && !line.contains("\u{1B}"))
    }
}
