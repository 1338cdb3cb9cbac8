import Logging
import Testing

@testable import CommandLineSupport

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
}
