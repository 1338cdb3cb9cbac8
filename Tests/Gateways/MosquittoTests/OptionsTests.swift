import BrokerOptions
import Foundation
import GatewayProtocol
import Mosquitto
import Testing

/// What is wrong with the options is said so that it can be changed.
@Suite struct OptionsTests {
    /// The error of the options.
    private func message(_ arguments: String...) throws -> String {
        let options = try BrokerOptions.parse(["--broker", "mqtts://127.0.0.1:1"] + arguments)
        let error = #expect(throws: BrokerError.self) {
            try options.makeBroker(name: "test").start(will: nil, subscriptions: []) { _ in }
        }
        #expect(error?.code == .configuration)
        return error?.message ?? ""
    }

    @Test("A file that is no certificate, or no usable key, is an error that names the option and says what to change")
    func files() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "corebluez-pem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let ours = try await Certificates(in: folder)
        func file(_ name: String, _ text: String) throws -> String {
            let file = folder.appending(path: name)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }
        let empty = try file("empty.pem", "")
        let secret = try file("secret.key", "-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
        for path in [empty, ours.serverKey, folder.path, "/nowhere"] {
            let text = try message("--cafile", path)
            #expect(text.contains("\(path) of --cafile cannot be used: "))
        }
        #expect(try message("--cert", ours.client, "--key", ours.client).contains("private key in the PEM format"))
        #expect(try message("--cert", ours.client, "--key", secret).contains("openssl pkey"))
        #expect(try message("--cert", ours.clientKey, "--key", ours.clientKey).contains("--cert cannot be used"))
    }

    @Test("No error is libmosquitto's text for wrong arguments", arguments: [65_536, 100_000])
    func arguments(length: Int) throws {
        let text = try message("--username", String(repeating: "a", count: length))
        #expect(text == "The text of --username has \(length) bytes; shorten it to 65,535 bytes")
        #expect(try !message("--username", "a\u{1}").contains("Invalid function arguments"))
    }

    @Test("A log line has one form for all parts, on one line, with control characters escaped")
    func line() {
        let start = Date(timeIntervalSince1970: 0)
        let line = ProgramLog.line(
            .warning, "a\u{1b}b\nc", ["z": "1", "a": "\u{9b}"], program: "gatt-fleet", at: start)
        #expect(line == #"1970-01-01T00:00:00Z warning gatt-fleet: a\u{1b}b\u{a}c (a: \u{9b}, z: 1)"#)
    }
}
