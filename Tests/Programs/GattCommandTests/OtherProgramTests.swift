import BlueZSimulator
import CoreBlueZ
import TestSupport
import Testing

/// A device that another program is connecting: the manager of the test.
@Suite struct OtherProgramTests {
    /// Runs a test while the other program waits for the device, which is known and out of range.
    private func run(
        _ body: @BluetoothActor (PeripheralFixture, _ connecting: Task<Void, any Error>) async throws -> Void
    ) async throws {
        try await PeripheralFixture.run { fixture in
            let peripheral = try await fixture.find()
            await fixture.simulator.peripheral.simulateRangeLoss()
            await fixture.simulator.keepCalls()
            let connecting = Task {
                try await peripheral.connect(options: ConnectOptions(timeout: Patience.timeout))
            }
            try await waitForConnects(1, fixture)
            try await body(fixture, connecting)
            #expect(peripheral.isConnected)
            #expect(await fixture.simulator.calls("Disconnect").isEmpty)
        }
    }

    @BluetoothActor private func waitForConnects(_ count: Int, _ fixture: PeripheralFixture) async throws {
        try await Patience.wait(for: "a call of Connect") { await fixture.simulator.calls("Connect").count >= count }
    }

    /// Starts a command that reads a value.
    @BluetoothActor private func read(_ fixture: PeripheralFixture, timeout: Duration) throws -> sending ProgramRun {
        let value = SimulatorFixture.value.description
        let timeout = "\(Int(timeout / .milliseconds(1)))ms"
        return try ProgramRun(
            program: "gatt", ["read", "BC:6A:29:00:00:01", value, "--timeout", timeout],
            environment: fixture.simulator.environment)
    }

    @Test("A command whose timeout expires leaves the attempt of another program, and says that there is one")
    func timeout() async throws {
        try await run { fixture, connecting in
            // A program that gets no processor for the whole time has not heard of the other one.
            var (timeout, errors) = (Duration.seconds(1), "")
            while !errors.contains("another program is connecting it"), timeout <= .seconds(16) {
                let run = try read(fixture, timeout: timeout)
                let status = try await run.status()
                #expect(status == 75)
                errors = run.errors
                timeout *= 2
            }
            #expect(errors.contains("another program is connecting it"))
            await fixture.simulator.peripheral.simulateReturn()
            try await connecting.value
        }
    }

    @Test("A command that reads over the link of another program leaves it")
    func joined() async throws {
        try await run { fixture, connecting in
            let run = try read(fixture, timeout: Patience.timeout)
            try await waitForConnects(2, fixture)
            await fixture.simulator.peripheral.simulateReturn()
            try await connecting.value
            let status = try await run.status()
            #expect(status == 0)
            #expect(run.output == "010203\n")
        }
    }
}
