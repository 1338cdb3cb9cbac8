import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension ProgramRun {
    /// Starts `cardreader`.
    fileprivate convenience init(_ arguments: [String], environment: [String: String] = [:]) throws {
        try self.init(program: "cardreader", arguments, environment: environment)
    }
}

extension ExchangeDevices {
    @Suite("The program cardreader", .realTime) @BluetoothActor struct CardReaderCommandTests {
        @Test("The simulated reader is found, its tracks read and an APDU sent")
        func simulated() async throws {
            let run = try ProgramRun(["--simulate"])
            #expect(try await run.status() == 0)
            #expect(
                run.output.split(separator: "\n").map(String.init) == [
                    "track 1   %B411111******1111^********^*****************?",
                    "track 2   ;411111******1111=*****************?",
                    "response  9000  6F10840E325041592E5359532E4444463031",
                ])
            #expect(run.errors.contains("Connected to READER, which has the Microchip Transparent UART."))
            #expect(run.errors.hasSuffix("Disconnecting...\n"))
        }

        @Test("Card numbers are printed in full only with --show-card-numbers")
        func cardNumbers() async throws {
            let simulator = try await CardReaderSimulator()
            let environment = simulator.environment
            let arguments = [SerialSimulator.address, "--tracks"]
            let masked = try ProgramRun(arguments + ["--json"], environment: environment)
            #expect(try await masked.status() == 0)
            #expect(masked.output.contains(#""track2":";411111******1111=*****************?""#))
            // In ASCII, and in the hexadecimal digits of the data.
            for secret in ["1111111", "31313131313131", "DOE", "444F45", "2912"] {
                #expect(!(masked.output + masked.errors).contains(secret))
            }
            let shown = try ProgramRun(arguments + ["--show-card-numbers"], environment: environment)
            #expect(try await shown.status() == 0)
            #expect(
                shown.output == """
                    track 1   %B4111111111111111^DOE/JANE^29121010000000000?
                    track 2   ;4111111111111111=29121010000000000?

                    """)
            await simulator.perform { $0.script.tracks = Array(";4111111111111111=2912".utf8) }
            let none = try ProgramRun(arguments, environment: environment)
            #expect(try await none.status() == 0)
            #expect(none.output == "no track  22 bytes\n")
        }

        @Test("With --json each result is one object, and only what was asked for is done")
        func json() async throws {
            let simulator = try await CardReaderSimulator(
                .init(checksum: .kermit, checksumByteOrder: .littleEndian))
            let run = try ProgramRun(
                [
                    SerialSimulator.address, "--json", "--apdu", "00 01 02 03", "--crc", "kermit", "--crc-order",
                    "low-first",
                ],
                environment: simulator.environment)
            #expect(try await run.status() == 0)
            #expect(
                run.output == """
                    {"apdu":"00010203","data":"","device":"READER","status":"6D00","type":"response"}

                    """)
            #expect(await simulator.perform { $0.script.commands } == [[0xC1, 0x08, 0, 1, 2, 3]])
            #expect(await simulator.perform { !$0.device.peripheral.isConnected })
        }

        @Test("With --crc auto the reader's CRC is found, and the options for it are printed")
        func detectedChecksum() async throws {
            let simulator = try await CardReaderSimulator(.init(checksumByteOrder: .littleEndian))
            let run = try ProgramRun(
                [SerialSimulator.address, "--tracks", "--apdu", "00010203", "--crc", "auto"],
                environment: simulator.environment)
            #expect(try await run.status() == 0)
            #expect(run.output.hasSuffix("response  6D00  \n"))
            #expect(
                run.errors.contains("is CRC-16/IBM-3740, low byte first: --crc ccitt-false --crc-order low-first\n"))
            #expect(await simulator.perform { $0.script.commands } == [[0xC1, 0x07, 0, 0], [0xC1, 0x08, 0, 1, 2, 3]])
        }

        @Test("The reader's commands have the numbers of the options")
        func numbers() async throws {
            let simulator = try await CardReaderSimulator()
            let seconds = Duration.seconds(1).stretched.components.seconds
            let run = try ProgramRun(
                [
                    SerialSimulator.address, "--apdu", "00010203", "--apdu-command", "D105", "--tracks",
                    "--tracks-command", "C10701", "--timeout", "\(seconds)",
                ],
                environment: simulator.environment)
            // The simulated reader has no such command for APDUs.
            #expect(try await run.status() == 75)
            #expect(await simulator.perform { $0.script.commands } == [[0xC1, 0x07, 1], [0xD1, 0x05, 0, 1, 2, 3]])
        }

        @Test(
            "Wrong arguments are 64",
            arguments: [
                ["--apdu", "00A4"], ["--apdu", "hello"], ["--crc", "crc32"],
                ["--crc", "auto", "--crc-order", "low-first"], ["--timeout", "1e-9"], ["--gap", "0"],
                ["--tracks-command", "C1"], ["--apdu-command", "C10800"],
            ])
        func arguments(arguments: [String]) async throws {
            let run = try ProgramRun(arguments)
            #expect(try await run.status() == 64)
            #expect(run.output.isEmpty)
        }

        @Test(
            "A device that is not a reader is 66, by its name and by its address",
            arguments: ["OTHER", "00:AA:02:00:00:10"])
        func otherDevice(device: String) async throws {
            let simulator = try await CardReaderSimulator(others: [.nordic])
            let run = try ProgramRun([device], environment: simulator.environment)
            #expect(try await run.status() == 66)
            #expect(
                run.errors.contains("OTHER has none of these serial profiles: Microchip Transparent UART; it has no "))
        }

        @Test("Without a bus it is 69, without a reader 75, with another CRC 70 or 75")
        func failures() async throws {
            let nowhere = try ProgramRun([], environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"])
            #expect(try await nowhere.status() == 69)
            let simulator = try await CardReaderSimulator()
            let environment = simulator.environment
            let absent = try ProgramRun(["SOMEONE", "--timeout", "0.3"], environment: environment)
            #expect(try await absent.status() == 75)
            #expect(absent.errors.contains("0 devices were tried"))
            await simulator.perform { $0.script.faults = [.wrongChecksum, .silence] }
            let seconds = Duration.seconds(1).stretched.components.seconds
            let arguments = ["--tracks", "--timeout", "\(seconds)"]
            let damaged = try ProgramRun(arguments, environment: environment)
            #expect(try await damaged.status() == 70)
            #expect(damaged.errors.contains("wrong checksum"))
            #expect(!damaged.errors.contains("1111"))
            let silent = try ProgramRun(arguments, environment: environment)
            #expect(try await silent.status() == 75)
            #expect(silent.errors.contains("There was no reply within \(seconds) second"))
            #expect(await simulator.perform { !$0.device.peripheral.isConnected })
        }

        @Test("A reader that pauses within an answer is waited for, as long as --gap says")
        func pauses() async throws {
            let simulator = try await CardReaderSimulator()
            await simulator.perform { simulator in
                simulator.device.cutting = .length(20)
                simulator.device.interval = .milliseconds(200)
            }
            let environment = simulator.environment
            let seconds = Duration.seconds(1).stretched.components.seconds
            let cut = try ProgramRun(
                ["--tracks", "--timeout", "\(seconds)", "--gap", "0.02"], environment: environment)
            // What is left of the answer is cut off, or garbage.
            #expect([65, 70].contains(try await cut.status()))
            #expect(cut.errors.contains("; if the reader pauses for longer, increase --gap"))
            let whole = try ProgramRun(["--tracks", "--gap", "30"], environment: environment)
            #expect(try await whole.status() == 0)
        }

        @Test("Ctrl-C cancels what waits, disconnects, and ends by the signal", arguments: [SIGINT, SIGTERM])
        func interrupted(signal: Int32) async throws {
            let simulator = try await CardReaderSimulator()
            await simulator.perform { $0.script.faults = [.silence] }
            let run = try ProgramRun(
                ["--tracks"], environment: simulator.environment)
            try await eventually("the command") { await simulator.perform { !$0.script.commands.isEmpty } }
            run.signal(signal)
            #expect(try await run.status() == 128 + signal)
            #expect(run.errors.contains("Disconnecting...\n"))
            #expect(await simulator.perform { !$0.device.peripheral.isConnected })
        }
    }
}
