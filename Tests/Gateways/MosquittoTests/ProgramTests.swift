import BlueZSimulator
import Foundation
import TestSupport
import Testing

/// The programs, with a Mosquitto.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProgramTests {
    /// A program's results.
    private struct Run {
        var status: Int32
        var signal: Int32?
        var output: String
        var errors: String
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - environment: what is added to this process's.
    ///   - meanwhile: called with the process once it runs.
    private func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:],
        meanwhile: (Process) async throws -> Void = { _ in }
    ) async throws -> Run {
        let folder = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String) throws -> FileHandle {
            let file = folder.appending(path: name)
            try Data().write(to: file)
            return try FileHandle(forWritingTo: file)
        }
        let process = Process()
        let tests = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        // What started the tests may ignore signals, and libdispatch's threads block them.
        process.executableURL = URL(fileURLWithPath: try TestBroker.program("env"))
        process.arguments =
            ["--default-signal=INT,HUP,TERM", tests.deletingLastPathComponent().appending(path: name).path] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = try file("output")
        process.standardError = try file("errors")
        try process.run()
        // It has ended by then, unless an expectation failed.
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try await meanwhile(process)
        try await Patience.wait(for: "the end of \(name)", within: .seconds(120)) { !process.isRunning }
        func text(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        let isSignal = process.terminationReason == .uncaughtSignal
        return Run(
            status: process.terminationStatus, signal: isSignal ? process.terminationStatus : nil,
            output: try text("output"), errors: try text("errors"))
    }

    @Test(
        "Ctrl-C, SIGTERM and SIGHUP end the programs by the signal, after they have cleaned up",
        arguments: [
            ["gatt-gateway", "--name", "kitchen"], ["gatt-fleet"], ["gatt-fleet", "status", "--duration", "60"],
        ], [SIGINT, SIGTERM, SIGHUP])
    func signals(words: [String], signal: Int32) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "signals-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = folder.appending(path: "log")
        let broker = try await TestBroker(.init(lines: ["log_type subscribe", "log_dest file \(log.path)"]))
        let bluez = try await SimulatedBlueZ(.init(timing: .instant))
        let run = try await run(
            words[0], words.dropFirst() + ["--broker", broker.url],
            environment: [
                "DBUS_SYSTEM_BUS_ADDRESS": bluez.address, "RUNTIME_DIRECTORY": folder.path,
                "XDG_RUNTIME_DIR": folder.path,
            ]
        ) { process in
            try await Patience.wait(for: "a subscription of \(words)", within: .seconds(120)) {
                try !Data(contentsOf: log).isEmpty
            }
            kill(process.processIdentifier, signal)
        }
        #expect(run.signal == signal, "\(run.status): \(run.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!left.contains { $0.hasPrefix("corebluez-") })
    }

    private static let status = """
        {"version":1,"state":"online","instance":"00112233445566778899aabbccddeeff","free":9,"slots":10}
        """
    private static let table = """
        GATEWAY  STATE   BLUETOOTH  LINKS  FREE  HEARS
        kitchen  online  on         1/10   9     0

        """

    @Test(
        "The help has examples and exit statuses, in 80 columns",
        arguments: [["gatt-gateway"], ["gatt-fleet", "serve"], ["gatt-fleet", "status"]])
    func help(words: [String]) async throws {
        let run = try await run(words[0], words.dropFirst() + ["--help"])
        #expect(run.status == 0)
        #expect(run.output.contains("\nExamples:\n  gatt-"))
        #expect(run.output.contains("\n  129  ended by SIGHUP, 130 by Ctrl-C, 143 by SIGTERM"))
        let lines = run.output.split(separator: "\n")
        #expect(lines.filter { $0.count > 80 && !$0.hasPrefix("USAGE:") }.isEmpty)
    }

    @Test("gatt-fleet status shows the gateways with the access control list of the documents")
    func status() async throws {
        let broker = try await TestBroker(
            .init(users: Chain.users, accessControl: Chain.gatewayAccess + Chain.fleetAccess))
        try await broker.publish(
            "corebluez/1/gateways/kitchen/status", ["-u", "kitchen", "-P", "a", "-q", "1", "-r", "-m", Self.status])
        let password = broker.folder.appending(path: "password").path
        try "b\n".write(toFile: password, atomically: true, encoding: .utf8)
        let arguments = [
            "status", "--broker", broker.url, "--duration", "1", "--username", "fleet", "--password-file", password,
        ]
        let run = try await run("gatt-fleet", arguments)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix(Self.table))
        let json = try await self.run("gatt-fleet", arguments + ["--json"])
        #expect(json.output.contains(#""gateway":"kitchen""#))
    }

    @Test("The openssl commands of the documents make certificates with which gateways connect")
    func certificates() async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let document = try String(contentsOf: root.appending(path: "Documentation/Gateways.md"), encoding: .utf8)
        let begin = "sh\nmkdir -m 700 certificates"
        let block = try #require(document.split(separator: "```").first { $0.hasPrefix(begin) })
        let folder = FileManager.default.temporaryDirectory.appending(path: "commands-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let commands = "set -e\n" + block.dropFirst(3).replacing("10.0.0.2", with: "127.0.0.1")
        try commands.write(to: folder.appending(path: "commands"), atomically: true, encoding: .utf8)
        try await TestBroker.run("sh", ["commands"], in: folder)
        let made = folder.appending(path: "certificates").path
        let broker = try await TestBroker(
            .init(lines: ["certfile \(made)/broker.pem", "keyfile \(made)/broker.key", "cafile \(made)/ca.pem"]))
        let url = "mqtts://127.0.0.1:\(broker.port)"
        let right = try await run(
            "gatt-fleet", ["status", "--broker", url, "--duration", "0.1", "--cafile", "\(made)/ca.pem"])
        #expect(right.status == 0)
        #expect(right.output == "No gateway has published a status under this prefix\n")
        let without = try await run("gatt-fleet", ["status", "--broker", url])
        #expect(without.status == 69)
        #expect(without.errors.contains("check --cafile"))
        for name in ["gatt-gateway", "gatt-fleet"] {
            let file = root.appending(path: "Sources/Gateways/systemd/\(name).conf")
            #expect(try String(contentsOf: file, encoding: .utf8).contains("\nOPTIONS=--cafile /etc/gatt-ca.pem\n"))
        }
    }

    @Test("The broker is named in every error of a connection, and the log of both programs has one form")
    func names() async throws {
        let broker = try await TestBroker(.init(users: ["fleet": "right"]))
        let place = "the broker 127.0.0.1:\(broker.port)"
        let line = try Regex(#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [a-z]+ gatt-[a-z]+: .*"#)
        for program in ["gatt-fleet", "gatt-gateway"] {
            let run = try await run(program, ["--broker", broker.url, "--name", "a"])
            #expect(run.status == 77)
            #expect(run.errors.lowercased().contains(place))
            for text in run.errors.split(separator: "\n") { #expect(text.wholeMatch(of: line) != nil) }
        }
        try await broker.kill()
        let run = try await run("gatt-fleet", ["status", "--broker", broker.url])
        #expect(run.status == 69)
        #expect(run.errors.contains("Cannot reach \(place): Connection refused"))
    }
}
