import Foundation
import TestSupport
import Testing

@Suite("Signals end the programs") struct ProgramSignalTests {
    /// A program with arguments, and what it prints when it waits. Some would end by themselves if they found a device.
    private static let programs: [(words: [String], ready: String)] = [
        (["bluez-simulator"], "Ctrl-C ends it"),
        (["bluez-simulator", "--json"], "\"address\""),
        (["sensortag-web", "--simulate", "--port", "0"], "Ctrl-C"),
        (["cardreader", "--simulate", "Nobody"], "named Nobody"),
        (["terminal", "--simulate", "--device", "Nobody"], "Searching for Nobody"),
        (["modem", "--simulate"], "Type the name"),
    ]

    @Test(
        "Ctrl-C, SIGTERM and SIGHUP end each program by the signal, after it has cleaned up",
        arguments: programs.indices, [SIGINT, SIGTERM, SIGHUP])
    func end(index: Int, signal: Int32) async throws {
        let (words, ready) = Self.programs[index]
        let run = try ProgramRun(program: words[0], Array(words.dropFirst()))
        try await run.wait(for: ready) { run.output.contains(ready) || run.errors.contains(ready) }
        run.signal(signal)
        #expect(try await run.status() == 128 + signal)
    }
}
