import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension ProgramRun {
    /// Starts `terminal`.
    fileprivate convenience init(terminal arguments: [String], bus: BusAddress? = nil) throws {
        let environment = bus.map { ["DBUS_SYSTEM_BUS_ADDRESS": $0.description] } ?? [:]
        try self.init(program: "terminal", arguments, environment: environment)
    }
}

extension ExchangeDevices {
    @Suite("The program terminal", .realTime) @BluetoothActor struct TerminalCommandTests {
        @Test("The simulated terminal pays, cancels and is opened again after a reset, as in the README")
        func simulated() async throws {
            let run = try ProgramRun(terminal: ["--simulate"])
            #expect(try await run.status() == 0)
            #expect(
                run.lines.map(String.init) == [
                    "Searching for TERMINAL...", "Opening TERMINAL 00:AA:02:00:00:77...",
                    "> PAY 12.50", "  MSG Insert card", "  MSG Enter PIN", "< APPROVED 12.50",
                    "> PAY 99.00", "  MSG Insert card", "  cancelled",
                    "> RESET PINPAD", "< RESETTING", "Opening TERMINAL 00:AA:02:00:00:77...",
                    "> PAY 7.00", "< APPROVED 7.00",
                ])
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            let path = folder.appending(path: "../../../../Demos/Streams/terminal/README.md").standardized
            let manual = try String(contentsOf: path, encoding: .utf8)
            #expect(manual.contains("$ swift run terminal --simulate\n\(run.output)```"))
            #expect(run.errors.isEmpty)
        }

        @Test("Wrong arguments are 64, no Bluetooth is 69, another device is 68, and none is 75")
        func failures() async throws {
            let arguments = try ProgramRun(terminal: [])
            #expect(try await arguments.status() == 64)
            let nowhere = try ProgramRun(terminal: ["--device", "X"], bus: .address("unix:path=/nonexistent"))
            #expect(try await nowhere.status() == 69)
            #expect(nowhere.errors == "terminal: The search failed: -1, noBluetooth\n")
            let fixture = try await TerminalFixture()
            await fixture.simulate { device in
                guard let service = device.peripheral[device.profile.service] else { return }
                device.peripheral.removeService(service)
            }
            let other = try ProgramRun(terminal: ["--device", "UART"], bus: fixture.bus)
            #expect(try await other.status() == 68)
            #expect(other.errors == "terminal: Opening failed: -2, failed\n")
            try await eventually("the end of its search") {
                await SimulatorActor.run { [bluez = fixture.bluez] in !bluez.adapters[0].isDiscovering }
            }
            let absent = try ProgramRun(terminal: ["--device", "SOMEONE"], bus: fixture.bus)
            try await eventually("the search") {
                await SimulatorActor.run { [bluez = fixture.bluez] in bluez.adapters[0].isDiscovering }
            }
            // This ends the search earlier.
            await SimulatorActor.run { [bluez = fixture.bluez] in bluez.adapters[0].simulatePower(false) }
            #expect(try await absent.status() == 75)
            #expect(absent.errors == "terminal: SOMEONE was not found\n")
        }

        @Test("Ctrl-C cancels the payment, disconnects, and ends by the signal", arguments: [SIGINT, SIGTERM])
        func interrupted(signal: Int32) async throws {
            let fixture = try await TerminalFixture()
            let run = try ProgramRun(terminal: ["--device", SerialSimulator.address], bus: fixture.bus)
            try await eventually("the payment") { await fixture.written() == "PAY 12.50\n" }
            run.signal(signal)
            #expect(try await run.status() == 128 + signal)
            #expect(await fixture.written() == "PAY 12.50\nCANCEL\n")
            let isConnected = await SimulatorActor.run { [device = fixture.device] in device.peripheral.isConnected }
            #expect(!isConnected)
        }

        @Test("Ctrl-C ends a search, too")
        func interruptedSearch() async throws {
            let fixture = try await TerminalFixture()
            let run = try ProgramRun(terminal: ["--device", "SOMEONE"], bus: fixture.bus)
            try await eventually("the search") {
                await SimulatorActor.run { [bluez = fixture.bluez] in bluez.adapters[0].isDiscovering }
            }
            run.signal(SIGINT)
            #expect(try await run.status() == 128 + SIGINT)
        }
    }
}
