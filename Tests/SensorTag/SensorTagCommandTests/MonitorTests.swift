import Foundation
import TestSupport
import Testing

@Suite("The monitor") struct MonitorTests {
    @Test("Without a terminal, it prints lines and survives a disconnection")
    func reconnects() async throws {
        let fixture = try await TagFixture(.cc2541)
        let run = try Run(["monitor"], environment: fixture.environment)
        try await run.wait(for: "readings") { run.lines.count > 6 }
        await fixture.disconnect()
        try await run.wait(for: "the loss to be told") { run.errors.contains("reconnecting") }
        let count = run.lines.count
        try await run.wait(for: "more readings of all sensors") {
            let sensors = Set(run.lines.dropFirst(count).map { $0.split(separator: " ")[1] })
            return sensors.isSuperset(of: ["temperature", "barometer", "humidity", "gyroscope", "magnetometer"])
        }
        run.signal(SIGINT)
        #expect(try await run.status() == 130)
        #expect(await !fixture.isConnected)
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test("A link that is lost while the sensors are switched on is made again")
    func lossWhileSettingUp() async throws {
        let fixture = try await TagFixture(.cc2541)
        await fixture.spoil("aa22", delay: .seconds(600))
        let run = try Run(["monitor"], environment: fixture.environment)
        try await run.wait(for: "the link") { run.errors.contains("Connected") }
        await fixture.disconnect()
        try await run.wait(for: "the loss to be told") { run.errors.contains("reconnecting") }
        try await run.wait(for: "the next link") { run.errors.split(separator: "\n").count { $0 == "Connected" } == 2 }
        run.signal(SIGINT)
        // The sensor that does not respond cannot be switched off.
        #expect(try await run.status() != 0)
    }

    /// A terminal of its own; what is written there comes out of the run's output.
    private static func terminal(_ environment: [String: String]) throws -> Run {
        let executable = try Run.executable
        // script runs the line by this shell. bash ends with a program that died of Ctrl-C, and goes on after others.
        var all = ["TERM": "xterm", "NO_COLOR": "", "SWIFT_BACKTRACE": "enable=no", "SHELL": "/bin/bash"]
        all.merge(environment) { $1 }
        return try Run(
            [], environment: all,
            through: ["script", "-qefc", "stty rows 24 cols 80; '\(executable)' monitor; echo status $?", "/dev/null"])
    }

    @Test("The terminal is given back whatever ends it", arguments: ["q", "\u{3}", "\u{1C}"])
    func restores(key: String) async throws {
        let fixture = try await TagFixture(.cc2541)
        let run = try Self.terminal(fixture.environment)
        try await run.wait(for: "the screen") { run.output.contains("Connected for") && run.output.contains("hPa") }
        try run.type(key)
        let status = try await run.status()
        let output = run.output
        let enter = try #require(output.range(of: "\u{1B}[?1049h"))
        let leave = try #require(output.range(of: "\u{1B}[?1049l", options: .backwards))
        #expect(enter.lowerBound < leave.lowerBound)
        let end = output[leave.upperBound...]
        if key == "\u{3}" {
            #expect(status == 130 && !end.contains("status"))
        } else {
            #expect(end.contains(key == "q" ? "status 0" : "status 131"))
        }
        #expect(output.contains("\u{1B}[?25h"))
        if key != "\u{1C}" { #expect(await !fixture.isConnected) }
    }

    @Test("Colours are there unless NO_COLOR is set", arguments: ["", "1"])
    func colours(noColor: String) async throws {
        let fixture = try await TagFixture(.cc2650)
        let run = try Self.terminal(fixture.environment.merging(["NO_COLOR": noColor]) { $1 })
        try await run.wait(for: "the screen") { run.output.contains("Connected for") && run.output.contains(" lx") }
        try run.type("q")
        try await run.status()
        #expect(run.output.contains("\u{1B}[32m") == noColor.isEmpty)
    }

    @Test("Keys switch sensors off and on, even across a disconnection")
    func toggles() async throws {
        let fixture = try await TagFixture(.cc2541)
        let run = try Self.terminal(fixture.environment)
        try await run.wait(for: "the screen") { run.output.contains("Connected for") && run.output.contains("°/s") }
        func humidity() async -> [[UInt8]] {
            await fixture.log.filter { $0.operation == .write && $0.uuid == "f000aa22-0451-4000-b000-000000000000" }
                .map(
                    \.value)
        }
        try await until { await humidity() == [[1]] }
        try run.type("3")
        try await until { await humidity() == [[1], [0]] }
        await fixture.disconnect()
        try await run.wait(for: "the loss to be told") { run.output.contains("reconnecting for") }
        try await until {
            await fixture.log.count { $0.uuid == "f000aa52-0451-4000-b000-000000000000" && $0.value == [7] } == 2
        }
        #expect(await humidity() == [[1], [0]])
        try run.type("3")
        try await until { await humidity() == [[1], [0], [1]] }
        try run.type("c")
        try await run.wait(for: "the calibration") { run.output.contains("Calibrated: magnetometer, gyroscope") }
        try run.type("3")
        try await until { await humidity() == [[1], [0], [1], [0]] }
        // Keys that are pressed while it switches off switch nothing on.
        try run.type("q3")
        #expect(try await run.status() == 0)
        #expect(await humidity() == [[1], [0], [1], [0]])
    }

    private func until(_ condition: () async -> Bool) async throws {
        try await Patience.wait(for: "a condition", within: .seconds(60), until: condition)
    }
}
