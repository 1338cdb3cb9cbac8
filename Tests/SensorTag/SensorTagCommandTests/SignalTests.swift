import BlueZSensorTag
import CoreBlueZ
import Foundation
import SensorTagProgram
import TestSupport
import Testing

@Suite("Signals end it") struct SignalTests {
    private static let configuration = "aa22"

    /// A command that prints readings.
    private static func printing(_ fixture: TagFixture) async throws -> Run {
        let run = try Run(["--json", "--sensor", "humidity"], environment: fixture.environment)
        try await run.wait(for: "readings") { run.lines.count > 1 }
        return run
    }

    /// The tag, connected and prepared.
    @BluetoothActor private static func prepared(_ central: SensorTagManager) async throws -> SensorTag {
        let tag = try #require(try await central.firstPeripheral() as? SensorTag)
        try await tag.connect()
        try await tag.prepare()
        return tag
    }

    @Test("Signals that arrive together, as timeout sends them, are one: it cleans up")
    func together() async throws {
        let fixture = try await TagFixture(.cc2541)
        let run = try await Self.printing(fixture)
        run.signal(SIGSTOP)
        try await run.wait(for: "the stop") { run.isStopped }
        for signal in [SIGINT, SIGTERM, SIGCONT] { run.signal(signal) }
        #expect(try await [128 + SIGINT, 128 + SIGTERM].contains(run.status()))
        #expect(await fixture.log.last { $0.operation == .write }?.value == [0])
        #expect(await !fixture.isConnected)
    }

    @Test("A signal that comes while cleaning up takes long ends it at once")
    func again() async throws {
        let fixture = try await TagFixture(.cc2541)
        let run = try await Self.printing(fixture)
        await fixture.spoil(Self.configuration, delay: .seconds(600))
        run.signal(SIGINT)
        try await run.wait(for: "switching off") { run.errors.contains("Switching off...") }
        // Those of the first moment count as the same.
        try await run.wait(for: "the end") {
            run.signal(SIGTERM)
            return run.status != nil
        }
        #expect(run.status == 128 + SIGTERM)
    }

    @Test("Signals that were ignored when it was started stay ignored")
    func ignored() async throws {
        let fixture = try await TagFixture(.cc2541)
        let seconds = Patience.scaled(.seconds(2)).components.seconds
        let run = try Run(
            [], environment: fixture.environment,
            through: [
                "env", "--ignore-signal=INT,TERM,HUP", try Run.executable, "--json", "--sensor", "humidity",
                "--duration", "\(seconds)",
            ])
        try await run.wait(for: "readings") { run.lines.count > 1 }
        for signal in [SIGINT, SIGTERM, SIGHUP] { run.signal(signal) }
        #expect(try await run.status() == 0)
    }

    @Test(
        "A sensor that cannot be switched off is reported, and the status is that of the error",
        arguments: [SIGINT, SIGTERM])
    func refused(signal: Int32) async throws {
        let fixture = try await TagFixture(.cc2541)
        let run = try await Self.printing(fixture)
        await fixture.spoil(Self.configuration, error: 0x80)
        run.signal(signal)
        #expect(try await run.status() == 76)
        #expect(run.errors.contains("sensortag: BC:6A:29:AB:AB:50: the humidity sensor may still be on: "))
        #expect(run.errors.contains("0x80"))
        #expect(await !fixture.isConnected)
    }

    @Test("A tag that does not answer is disconnected in the end, and it says that its sensors may still be on")
    func unanswered() async throws {
        let fixture = try await TagFixture(.cc2541)
        try await BluetoothActor.run {
            let central = SensorTagManager(bus: .address(fixture.bluez.address))
            let tag = try await Self.prepared(central)
            try await tag.humidity.turnOn()
            await fixture.spoil(Self.configuration, delay: .seconds(600))
            let failure = try #require(await tag.leave(within: .milliseconds(200)))
            #expect(failure.status == .timedOut)
            #expect(failure.message.contains("its sensors may still be on"))
            #expect(!tag.isConnected)
            #expect(await tag.leave()?.message == nil)
        }
        #expect(await !fixture.isConnected)
    }

    @Test("A tag that responds slowly has the timeout for each of its sensors")
    func slow() async throws {
        let fixture = try await TagFixture(.cc2541)
        try await BluetoothActor.run {
            let central = SensorTagManager(bus: .address(fixture.bluez.address))
            let tag = try await Self.prepared(central)
            for sensor in [tag.temperature, tag.humidity, tag.magnetometer] as [SensorTagService] {
                try await sensor.turnOn()
            }
            let delay = Patience.scaled(.seconds(2))
            for configuration in ["aa02", "aa22", "aa32"] { await fixture.spoil(configuration, delay: delay) }
            #expect(await tag.leave(within: delay * 2.5)?.message == nil)
        }
        #expect(await fixture.log.count { $0.operation == .write && $0.value == [0] } >= 3)
        #expect(await !fixture.isConnected)
    }
}
