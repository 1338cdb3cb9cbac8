import ArgumentParser
import CoreBlueZ
import Testing

@testable import sensortag

@Suite("Help and completion") struct HelpTests {
    @Test(
        "Every command has examples and exit statuses, in 80 columns",
        arguments: ["", "print", "scan", "monitor", "read", "log", "info", "identify", "serve"])
    func help(command: String) async throws {
        let run = try Run([command, "--help"].filter { !$0.isEmpty })
        #expect(try await run.status() == 0)
        let text = run.output
        #expect(text.contains("Examples:\n  sensortag "))
        #expect(text.contains("Exit status:\n  0    success"))
        #expect(text.contains("  129  ended by SIGHUP, 130 by Ctrl-C, 143 by SIGTERM"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE:") })
    }

    @Test("The version is the framework's")
    func version() async throws {
        let run = try Run(["--version"])
        #expect(try await run.status() == 0)
        #expect(run.output == CentralManager.version + "\n")
    }

    @Test("Shells get a completion that knows the commands", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) async throws {
        let run = try Run(["--generate-completion-script", shell])
        #expect(try await run.status() == 0)
        for word in ["monitor", "identify", "simulate", "cc2541-1.3"] { #expect(run.output.contains(word), "\(word)") }
    }
}
