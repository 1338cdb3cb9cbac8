import Foundation
import Mosquitto
import TestSupport
import Testing

/// A mosquitto of its own, on a port of its own, with its files in a private folder.
final class TestBroker {
    /// What a broker offers and demands.
    struct Setup {
        /// Users and passwords; empty admits everybody.
        var users: [String: String] = [:]
        /// The lines of the access control list; needs users.
        var accessControl: [String] = []
        /// Whether it speaks TLS, and asks clients for a certificate.
        var certificates: Certificates?
        /// More lines of the configuration.
        var lines: [String] = []
    }

    let folder: URL
    let port: UInt16
    private var process: Process?

    init(_ setup: Setup = Setup()) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "corebluez-broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        port = try Self.freePort()
        var lines = ["listener \(port) 127.0.0.1", "persistence false", "allow_anonymous \(setup.users.isEmpty)"]
        if !setup.users.isEmpty {
            let file = folder.appending(path: "users").path
            try Self.text(setup.users).write(toFile: file, atomically: true, encoding: .utf8)
            try await Self.run("mosquitto_passwd", ["-U", file])
            lines.append("password_file \(file)")
        }
        if !setup.accessControl.isEmpty {
            try write(setup.accessControl)
            lines.append("acl_file \(accessFile)")
        }
        if let certificates = setup.certificates {
            lines += [
                "cafile \(certificates.authority)", "certfile \(certificates.server)",
                "keyfile \(certificates.serverKey)",
                "require_certificate true",
            ]
        }
        if geteuid() == 0 { lines.append("user root") }
        let text = (lines + setup.lines).joined(separator: "\n") + "\n"
        try text.write(to: folder.appending(path: "mosquitto.conf"), atomically: true, encoding: .utf8)
        try await start()
    }

    // libdispatch's threads block SIGTERM, and what they start inherits that.
    deinit {
        if let process { Foundation.kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    var url: String { "mqtt://127.0.0.1:\(port)" }

    func start() async throws {
        let process = Process()
        // libdispatch's threads block signals, and what they start inherits that: env undoes it for SIGHUP.
        process.executableURL = URL(fileURLWithPath: try Self.program("env"))
        process.arguments = [
            "--default-signal=HUP", try Self.program("mosquitto"), "-c", folder.appending(path: "mosquitto.conf").path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        try await Patience.wait(for: "the broker's port") { Self.isOpen(self.port) }
    }

    /// Ends it as by SIGKILL.
    func kill() async throws {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        try await Patience.wait(for: "the broker's end") { !process.isRunning }
        self.process = nil
    }

    private var accessFile: String { folder.appending(path: "access").path }

    private func write(_ accessControl: [String]) throws {
        try (accessControl.joined(separator: "\n") + "\n").write(
            toFile: accessFile, atomically: false, encoding: .utf8)
    }

    /// Gives it another access control list, which it reads soon.
    func setAccessControl(_ lines: [String]) throws {
        try write(lines)
        if let process { Foundation.kill(process.processIdentifier, SIGHUP) }
    }

    /// It neither answers nor ends until `thaw`.
    func freeze() {
        if let process { Foundation.kill(process.processIdentifier, SIGSTOP) }
    }

    func thaw() {
        if let process { Foundation.kill(process.processIdentifier, SIGCONT) }
    }

    /// Publishes with a program that shares nothing with ours.
    func publish(_ topic: String, _ arguments: [String]) async throws {
        try await Self.run("mosquitto_pub", ["-V", "5", "-h", "127.0.0.1", "-p", "\(port)", "-t", topic] + arguments)
    }

    static func program(_ name: String) throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let places = (folders + ["/usr/sbin"]).map { "\($0)/\(name)" }
        return try #require(
            places.first { FileManager.default.isExecutableFile(atPath: $0) },
            "The tests need \(name): run Scripts/test")
    }

    static func run(_ name: String, _ arguments: [String], in folder: URL? = nil) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try program(name))
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // `waitUntilExit` would keep a thread of the tests' pool.
        try await Patience.wait(for: "the end of \(name)") { !process.isRunning }
        try #require(process.terminationStatus == 0, "\(name) \(arguments.joined(separator: " "))")
    }

    private static func text(_ users: [String: String]) -> String {
        users.map { "\($0.key):\($0.value)\n" }.joined()
    }
}
