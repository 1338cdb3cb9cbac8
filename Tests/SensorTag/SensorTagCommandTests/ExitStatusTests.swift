import BlueZSimulator
import Foundation
import Testing

@Suite("The exit status says how it ended") struct ExitStatusTests {
    @Test(
        "Wrong arguments are 64",
        arguments: [
            ["log"], ["log", "--csv", "--jsonl"], ["--simulate=cc2640"], ["--duration", "0"],
            ["read", "--timeout", "-1"],
            ["read", "--sensor", "thermometer"], ["log", "--csv", "--period", "fast"],
            ["identify", "--duration", "nan"],
            ["log", "--csv", "--period", "0"], ["read", "tag", "--name", "tag"], ["prnt"], ["help", "tag"],
            ["tag", "--name", "tag"], ["monitor", "--screen"],
        ])
    func arguments(_ arguments: [String]) async throws {
        let run = try Run(arguments)
        #expect(try await run.status() == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("Error:"))
    }

    @Test(
        "Without a message bus it is 69",
        arguments: [["print"], ["scan"], ["monitor"], ["read"], ["info"], ["identify"], ["log", "--jsonl"]])
    func noBus(_ arguments: [String]) async throws {
        let run = try Run(arguments, environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
        #expect(try await run.status() == 69)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("sensortag: "))
        #expect(run.errors.contains("To try the program without Bluetooth, use --simulate"))
    }

    @Test("Without bluetoothd or an adapter, it mentions --simulate, too", arguments: [["scan"], ["read"]])
    func noAdapter(_ arguments: [String]) async throws {
        let bluez = try await SimulatorActor.run {
            try await SimulatedBlueZ(SimulatedBlueZ.Configuration(adapters: []))
        }
        let run = try Run(arguments, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bluez.address])
        #expect(try await run.status() == 69)
        #expect(run.errors.contains("--simulate"))
    }

    @Test("A CC2541 that is to be identified is 69, and says what it cannot")
    func identify() async throws {
        let run = try Run(["identify", "--simulate"])
        #expect(try await run.status() == 69)
        #expect(run.errors.contains("This CC2541 does not let programs use its LED or its buzzer"))
    }

    @Test("A sensor that the tag does not have is 66")
    func noSensor() async throws {
        let run = try Run(["read", "--simulate=cc2541", "--sensor", "optical"])
        #expect(try await run.status() == 66)
        #expect(run.errors.contains("This tag has no optical sensor"))
    }

    @Test("A file that cannot be opened is 73")
    func noFile() async throws {
        let run = try Run(["log", "--simulate", "--csv", "/nonexistent/readings.csv"])
        #expect(try await run.status() == 73)
        #expect(run.errors.contains("/nonexistent/readings.csv"))
    }

    @Test("A full disk is 74 and says what was written", arguments: ["--csv", "--jsonl"])
    func fullDisk(format: String) async throws {
        let run = try Run(["log", "--simulate", format, "/dev/full"])
        #expect(try await run.status() == 74)
        #expect(run.errors.contains("No space left on device"))
        #expect(run.errors.contains("0 readings were written to /dev/full."))
    }

    @Test("A closed pipe is the end, and no error", arguments: [["log", "--jsonl"], ["log", "--csv"], ["print"]])
    func closedPipe(command: [String]) async throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let run = try Run(command + ["--simulate"], output: pipe.fileHandleForWriting)
        #expect(try await run.status() == 0)
        #expect(!run.errors.contains("sensortag: "))
        #expect(run.errors.contains("0 readings were written to the standard output.") == (command[0] == "log"))
    }

    @Test(
        "Wrong arguments of log are explained",
        arguments: [
            (["log"], "Choose how to write: --csv [FILE] or --jsonl [FILE]"),
            (["log", "--csv", "--jsonl"], "Give either --csv or --jsonl: they write the same readings"),
            (["log", "--csv", "a", "--jsonl", "b"], "Give either --csv or --jsonl"),
        ])
    func formats(arguments: [String], message: String) async throws {
        let run = try Run(arguments)
        #expect(try await run.status() == 64)
        #expect(run.errors.contains(message))
    }

    @Test(
        "A command that does not exist is distinguished from a tag's name, with what may have been meant",
        arguments: [(["prnt"], "print"), (["monitr", "Kitchen"], "monitor"), (["help", "lgo"], "log")])
    func commands(arguments: [String], meant: String) async throws {
        let run = try Run(arguments)
        #expect(try await run.status() == 64)
        #expect(run.errors.contains("; did you mean \"\(meant)\"?\nCommands: print, scan, monitor,"))
        #expect(run.errors.contains("For a tag with this name: sensortag print NAME") == (arguments[0] != "help"))
    }

    @Test("Ctrl-C switches off, disconnects, and ends by the signal", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupt(signal: Int32) async throws {
        let fixture = try await TagFixture(.cc2541)
        let run = try Run(["--json"], environment: fixture.environment)
        try await run.wait(for: "readings") { run.lines.count > 3 }
        run.signal(signal)
        #expect(try await run.status() == 128 + signal)
        #expect(run.errors.contains("Switching off..."))
        let last = await fixture.log.last { $0.operation == .write }
        #expect(last?.value == [0])
        #expect(await !fixture.isConnected)
    }
}
