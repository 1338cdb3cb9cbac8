import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension ProgramRun {
    /// Starts `accessories`, on the message bus of a simulator if one is given.
    fileprivate convenience init(_ arguments: [String], _ simulator: AccessorySimulator? = nil, bus: String? = nil)
        throws
    {
        let address = simulator?.bus.description ?? bus
        try self.init(
            program: "accessories", arguments, environment: address.map { ["DBUS_SYSTEM_BUS_ADDRESS": $0] } ?? [:])
    }
}

extension AccessoryPorts {
    @Suite("The program accessories", .realTime) @BluetoothActor struct AccessoriesCommandTests {
        @Test("The simulated accessory is connected and shown, sends the line back, and is disconnected")
        func simulated() async throws {
            let run = try ProgramRun(["--simulate", "--line", "how are you"])
            #expect(try await run.status() == 0)
            #expect(
                run.output == """
                    connected: ECHO, connection 1
                      protocols: com.example.tty
                      manufacturer: Example Inc.
                      model: E-1
                    sent: how are you
                    received: how are you
                    disconnected: ECHO

                    """)
            #expect(run.errors.isEmpty)
        }

        @Test("An accessory that is connected already is used, and stays connected")
        @BluetoothActor func connected() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            try await fixture.connect(AccessorySimulator.uartAddress)
            for arguments in [[], ["UART"]] {
                let run = try ProgramRun(arguments, simulator)
                #expect(try await run.status() == 0)
                #expect(run.output.hasPrefix("connected before: UART, connection 1\n"))
                #expect(run.output.contains("\n  hardware: B\n") && run.output.hasSuffix("\nreceived: hello\n"))
            }
            #expect(await simulator.perform { $0.uart.peripheral.isConnected })
        }

        @Test("A classic device is connected by its address, and disconnected")
        func classic() async throws {
            let simulator = try await AccessorySimulator()
            let run = try ProgramRun([AccessorySimulator.classicAddress?.description ?? ""], simulator)
            #expect(try await run.status() == 0)
            #expect(run.output.contains("received: hello\ndisconnected: Classic\n"))
            #expect(await simulator.perform { !$0.classic.isConnected })
        }

        @Test("What a device sends is escaped")
        func escaped() async throws {
            let simulator = try await AccessorySimulator()
            await simulator.perform {
                let reply = Array("\u{1B}[31mred\r\n".utf8)
                $0.uart.script = ResponseScript([.init(Array("hello\r\n".utf8), [reply])])
            }
            let run = try ProgramRun(["UART"], simulator)
            #expect(try await run.status() == 0)
            #expect(run.output.contains("received: \\u{1b}[31mred\n"))
        }

        @Test("Wrong arguments are 64", arguments: [["--timeout", "nan"], ["--timeout", "-1"], ["one", "two"]])
        func arguments(arguments: [String]) async throws {
            let run = try ProgramRun(arguments)
            #expect(try await run.status() == 64)
            #expect(run.output.isEmpty)
        }

        @Test("Without a bus it is 69, without an accessory or a reply 75, with an output that is full 74")
        func failures() async throws {
            let nowhere = try ProgramRun([], bus: "unix:path=/nonexistent")
            #expect(try await nowhere.status() == 69)
            let simulator = try await AccessorySimulator()
            let absent = try ProgramRun(["--timeout", "0.2"], simulator)
            #expect(try await absent.status() == 75)
            #expect(absent.errors.contains("No accessory that speaks com.example.tty was connected"))
            await simulator.perform { $0.uart.script = SilentScript() }
            let seconds = Duration.seconds(3).stretched.components.seconds
            let silent = try ProgramRun(["UART", "--timeout", "\(seconds)"], simulator)
            #expect(try await silent.status() == 75)
            #expect(silent.errors == "accessories: UART did not reply with a line in time\n")
            #expect(await simulator.perform { !$0.uart.peripheral.isConnected })
            let full = try ProgramRun(
                program: "accessories", ["--simulate"], output: FileHandle(forWritingAtPath: "/dev/full"))
            #expect(try await full.status() == 74)
        }

        @Test("Ctrl-C ends the waiting, disconnects, and ends by the signal", arguments: [SIGINT, SIGTERM])
        func interrupted(signal: Int32) async throws {
            let simulator = try await AccessorySimulator()
            await simulator.perform { $0.uart.script = SilentScript() }
            let run = try ProgramRun(["UART"], simulator)
            try await eventually("the line") { await simulator.perform { $0.uart.receivedCount > 0 } }
            run.signal(signal)
            #expect(try await run.status() == 128 + signal)
            #expect(run.output.hasSuffix("disconnected: UART\n"))
            #expect(await simulator.perform { !$0.uart.peripheral.isConnected })
        }
    }
}
