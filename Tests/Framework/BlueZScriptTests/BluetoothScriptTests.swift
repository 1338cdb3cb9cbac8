import BlueZDBus
import BlueZScript
import BlueZSimulator
import CoreBlueZ
import Glibc
import TestSupport
import Testing

/// How a script ends, and what it leaves behind. Each runs in a process of its own.
@Suite struct BluetoothScriptTests {
    private struct Failure: Error {}

    private static func connect(_ address: String) async throws {
        try await BluetoothActor.run {
            // Nothing refers to the manager when the script ends, as in a closure that has returned.
            let central = CentralManager(bus: .address(address))
            try await central.firstPeripheral(timeout: .seconds(60)).connect()
        }
    }

    @Test("A script that is done ends with 0, and its link with it")
    func success() async throws {
        let simulator = try await SimulatorFixture()
        await simulator.keepCalls()
        await #expect(processExitsWith: .exitCode(0)) { [address = simulator.bluez.address as String] in
            BluetoothScript.run { try await Self.connect(address) }
        }
        #expect(await simulator.hasNoLinkLeft)
    }

    @Test("An error ends a script with 1, and its link with it")
    func failure() async throws {
        let simulator = try await SimulatorFixture()
        await simulator.keepCalls()
        let result = await #expect(
            processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
        ) { [address = simulator.bluez.address as String] in
            BluetoothScript.run {
                try await Self.connect(address)
                throw BluetoothError(.failed, "It does not\u{1B}[2J work")
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("error: It does not\\u{1b}[2J work\n"))
        #expect(await simulator.hasNoLinkLeft)
    }

    @Test("Ctrl-C ends a script by the signal, and its link with it, and what it printed is not lost")
    func interrupted() async throws {
        let simulator = try await SimulatorFixture()
        await simulator.keepCalls()
        let result = await #expect(
            processExitsWith: .signal(SIGINT), observing: [\.standardOutputContent]
        ) { [address = simulator.bluez.address as String] in
            BluetoothScript.run {
                try await Self.connect(address)
                print("what was done before")
                kill(getpid(), SIGINT)
                try await BluetoothActor.sleep(for: .seconds(3600))
            }
        }
        #expect(await simulator.hasNoLinkLeft)
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(output.contains("what was done before\n"))
    }

    @Test("Each line that a script prints to a file is written at once")
    func lines() async throws {
        let simulator = try await SimulatorFixture(
            peripheral: PeripheralSpecification(
                name: "Strap", address: "C0:FF:EE:00:00:01",
                advertisement: AdvertisementData(localName: "Strap", serviceUUIDs: [0x180D]),
                services: [
                    ServiceSpecification(
                        0x180D,
                        characteristics: [
                            CharacteristicSpecification(
                                0x2A37, .notify,
                                notifications: NotificationSeries([[0, 61]], repeats: false))
                        ])
                ]))
        await simulator.keepCalls()
        let run = try ProgramRun(program: "HeartRate", [], environment: simulator.environment)
        try await run.wait(for: "a reading") { run.output == "61 beats per minute\n" }
        run.signal(SIGTERM)
        #expect(try await run.status() == 128 + SIGTERM)
        #expect(await simulator.hasNoLinkLeft)
    }

    @Test("A script that ignores the signal ends by it all the same, and its link with it")
    func stubborn() async throws {
        let simulator = try await SimulatorFixture()
        await simulator.keepCalls()
        await #expect(processExitsWith: .signal(SIGTERM)) { [address = simulator.bluez.address as String] in
            BluetoothScript.timeouts.withLock { $0.work = .milliseconds(50) }
            BluetoothScript.run {
                try await Self.connect(address)
                kill(getpid(), SIGTERM)
                await Task.detached { try? await ContinuousClock().sleep(for: .seconds(3600)) }.value
            }
        }
        #expect(await simulator.hasNoLinkLeft)
    }

    @Test("A script that blocks Bluetooth's thread ends by the signal as well, and its bus's directory is removed")
    func blocking() async throws {
        let result = await #expect(processExitsWith: .signal(SIGTERM), observing: [\.standardOutputContent]) {
            BluetoothScript.timeouts.withLock { $0 = (.milliseconds(20), .milliseconds(20)) }
            let bus = try PrivateBus()
            print("|\(bus.directory)|")
            fflush(nil)
            BluetoothScript.run {
                kill(getpid(), SIGTERM)
                withExtendedLifetime(bus) { while true { pause() } }
            }
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let directory = try #require(output.split(separator: "|").first { $0.contains("/corebluez-") })
        #expect(unsafe access(String(directory), F_OK) != 0)
    }

    @Test("A script of closures ends when one of them says so")
    func closures() async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            BluetoothScript.runUntilEnd { script in
                BluetoothActor.perform {
                    script.end()
                    script.end(Failure())
                }
            }
        }
        await #expect(processExitsWith: .exitCode(1)) {
            BluetoothScript.runUntilEnd { script in script.end(Failure()) }
        }
    }
}

extension SimulatorFixture {
    /// Whether a link was made, and none is there.
    fileprivate var hasNoLinkLeft: Bool {
        members.contains("Connect") && members.contains("Disconnect") && !peripheral.isConnected
    }
}
