import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension SerialPorts {
    @Suite("The program modem", .realTime) struct ModemCommandTests {
        private func modem(_ arguments: [String], in simulator: SerialSimulator? = nil) throws -> ProgramRun {
            let environment = simulator?.environment ?? [:]
            return try ProgramRun(program: "modem", arguments, environment: environment)
        }

        @Test("All devices are listed, one is chosen by its typed name, commands get replies, and each event is shown")
        func simulated() async throws {
            let run = try modem(["--simulate"])
            try await run.wait(for: "the list") { run.errors.contains("LAMP_") && run.errors.contains("MODEM_") }
            let isSecond = run.errors.contains("MODEM_1")
            try run.type(isSecond ? "modem_1\n" : "modem_0\n")
            try await run.wait(for: "readiness") { run.errors.contains("is ready: it has the profile Tertium TxRx") }
            try run.type("ATI\n\nAT\n")
            try await run.wait(for: "the replies") { run.lines == ["Simulated modem", "OK", "OK"] }
            try run.input.fileHandleForWriting.close()
            #expect(try await run.status() == 0)
            let name = isSecond ? "MODEM_1" : "MODEM_0"
            let events = run.errors.split(separator: "\n").filter { !$0.hasPrefix("Found ") }
            #expect(
                events == [
                    "Scanning...", "Type the name of a device.", "The scan has ended", "Connected to \(name)",
                    "\(name) is ready: it has the profile Tertium TxRx", "Sent to \(name): ATI\\u{d}\\u{a}",
                    "Sent to \(name): AT\\u{d}\\u{a}", "Disconnected from \(name)",
                ])
            #expect(run.errors.contains("Found \(name)  00:AA:02:00:00:77\n"))
        }

        @Test("A device is named by an argument, commands come from a file, and a command without a reply is 75")
        func piped() async throws {
            let simulator = try await SerialSimulator(
                .tertium, script: { ResponseScript.responding(["AT\r\n": ["O"]]) })
            let run = try modem(["UART"], in: simulator)
            try run.type("AT\nATX\nAT")
            try run.input.fileHandleForWriting.close()
            #expect(try await run.status() == 75)
            #expect(run.lines == ["O", "O"])
            #expect(run.errors.contains("Receiving failed: No reply of UART came within 2 seconds"))
            #expect(await simulator.perform { !$0.peripheral.isConnected })
        }

        @Test("What a device sends is escaped, and shown in lines")
        func escaped() async throws {
            let simulator = try await SerialSimulator(.tertium, script: { SilentScript() })
            let run = try modem(["UART_0"], in: simulator)
            try await eventually("the subscription") { await simulator.device.isSubscribed }
            await simulator.send("a\u{1B}[2J\r\nb\n")
            try await run.wait(for: "the lines") { run.lines == ["a\\u{1b}[2J", "b"] }
            try run.input.fileHandleForWriting.close()
            #expect(try await run.status() == 0)
        }

        @Test("Wrong arguments are 64, no bus 69, no such device 75, and a device that takes no commands 66")
        func failures() async throws {
            #expect(try await modem(["--timeout", "soon"]).status() == 64)
            let nowhere = try ProgramRun(
                program: "modem", [], environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"])
            #expect(try await nowhere.status() == 69)
            let simulator = try await SerialSimulator(.hm10)
            let seconds = Duration.seconds(2).stretched.components.seconds
            let absent = try modem(["SOMEONE", "--timeout", "\(seconds)"], in: simulator)
            #expect(try await absent.status() == 75)
            #expect(absent.errors.contains("Found UART_0") && absent.errors.hasSuffix("is it in range?\n"))
            let foreign = try modem(["UART"], in: simulator)
            #expect(try await foreign.status() == 66)
            #expect(foreign.errors.contains("Connecting failed: UART has none of these serial profiles"))
            #expect(await simulator.perform { !$0.peripheral.isConnected })
        }

        @Test("A lost link is 68, although a line is waited for")
        func lost() async throws {
            let simulator = try await SerialSimulator(.tertium)
            let run = try modem(["UART"], in: simulator)
            try await run.wait(for: "readiness") { run.errors.contains("is ready") }
            await simulator.disconnect()
            #expect(try await run.status() == 68)
            #expect(run.errors.contains("Disconnected from UART_0: "))
        }

        @Test("Ctrl-C ends what waits, disconnects, and ends by the signal", arguments: [SIGINT, SIGTERM])
        func interrupted(signal: Int32) async throws {
            let simulator = try await SerialSimulator(.tertium)
            let run = try modem(["UART"], in: simulator)
            try await run.wait(for: "readiness") { run.errors.contains("is ready") }
            run.signal(signal)
            #expect(try await run.status() == 128 + signal)
            #expect(run.errors.contains("Disconnected from UART_0\n"))
            #expect(await simulator.perform { !$0.peripheral.isConnected })
        }
    }
}
