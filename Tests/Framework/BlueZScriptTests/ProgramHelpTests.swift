import TestSupport
import Testing

@Suite("The help of the programs") struct ProgramHelpTests {
    @Test(
        "The help has examples and exit statuses, in 80 columns",
        arguments: ["accessories", "bluez-simulator", "cardreader", "modem", "sensortag-web", "terminal"])
    func help(program: String) async throws {
        let run = try ProgramRun(program: program, ["--help"])
        #expect(try await run.status() == 0)
        let text = run.output
        #expect(text.contains("\nExamples:\n  "))
        #expect(text.contains("\nExit status:\n  "))
        #expect(text.contains("\n  129  ended by SIGHUP, 130 by Ctrl-C, 143 by SIGTERM"))
        let long = text.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("USAGE:") }
        #expect(long.isEmpty)
        // A table's line that is too long continues at the margin.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let torn = zip(lines, lines.dropFirst()).filter { line, next in
            line.hasPrefix("  ") && next.first.map { $0 != " " } == true
        }
        #expect(torn.map { "\($0.1)" }.isEmpty, "\(torn.map { "\($0.0) / \($0.1)" })")
    }
}
