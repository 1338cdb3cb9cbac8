import Foundation
import TestSupport
import Testing

@Suite("This computer as a tag") struct ServeTests {
    @Test(
        "With --simulate, one adapter is the tag and another reads it, until a signal",
        arguments: [([], "cc2541"), (["--model", "cc2650"], "cc2650")], [SIGINT, SIGTERM])
    func simulated(options: ([String], model: String), signal: Int32) async throws {
        let run = try Run(["serve", "--simulate"] + options.0)
        try await Patience.wait(for: "readings of both sensors") {
            run.output.contains("  temperature    ambient") && run.output.contains("  barometer      temperature")
        }
        run.signal(signal)
        #expect(try await run.status() == 128 + signal)
        #expect(run.errors.contains("This computer is a SensorTag (\(options.model)) on hci0; Ctrl-C ends it\n"))
        #expect(run.errors.contains("00:AA:01:00:00:43 has connected\n"))
        #expect(run.errors.contains("Connected: \(options.model.uppercased()) SensorTag"))
        #expect(run.errors.contains("Switching off...\n"))
        #expect(!run.errors.contains("sensortag: "))
    }

    @Test("The value of --simulate is the model")
    func model() async throws {
        let run = try Run(["serve", "--simulate=cc2650"])
        try await Patience.wait(for: "a reading") { run.output.contains("  barometer      temperature") }
        run.signal(SIGINT)
        #expect(try await run.status() == 130)
        #expect(run.errors.contains("This computer is a SensorTag (cc2650) on hci0"))
    }

    @Test(
        "Wrong arguments are 64",
        arguments: [
            ["--simulate=cc2541,cc2650"], ["--simulate=cc2640"], ["--simulate", "--adapter", "hci0"], ["--model", "x"],
        ])
    func arguments(arguments: [String]) async throws {
        let run = try Run(["serve"] + arguments)
        #expect(try await run.status() == 64)
        #expect(run.output.isEmpty)
    }

    @Test("The help lists the statuses of serve, not those of reading a tag")
    func help() async throws {
        let run = try Run(["serve", "--help"])
        #expect(try await run.status() == 0)
        #expect(run.output.contains("  65   the advertisement is too large\n"))
        #expect(!run.output.contains("the tag has none of the sensors"))
    }
}
