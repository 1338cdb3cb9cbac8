import Foundation
import TestSupport
import Testing

extension TestBroker {
    /// A port of this machine that nobody uses now.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        try #require(unsafe withAddress(port: 0) { unsafe bind(descriptor, $0, $1) } == 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        try #require(result == 0)
        return UInt16(bigEndian: address.sin_port)
    }

    /// Whether somebody listens there.
    static func isOpen(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return unsafe withAddress(port: port) { unsafe connect(descriptor, $0, $1) } == 0
    }

    private static func withAddress<Result>(
        port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// A way to the broker that can be cut.
final class Proxy {
    private let process = Process()
    private let port: UInt16

    init(to target: UInt16) async throws {
        port = try TestBroker.freePort()
        process.executableURL = URL(fileURLWithPath: try TestBroker.program("socat"))
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.arguments = ["TCP-LISTEN:\(port),bind=127.0.0.1,reuseaddr,fork", "TCP:127.0.0.1:\(target)"]
        try process.run()
        let port = port
        try await Patience.wait(for: "the proxy") { TestBroker.isOpen(port) }
    }

    var url: String { "mqtt://127.0.0.1:\(port)" }

    /// Each connection has a process of its own.
    private func signalConnections(_ number: Int32) {
        let children = "/proc/\(process.processIdentifier)/task/\(process.processIdentifier)/children"
        let text = (try? String(contentsOfFile: children, encoding: .utf8)) ?? ""
        for child in text.split(separator: " ").compactMap({ pid_t($0) }) { kill(child, number) }
    }

    /// Nothing passes until `thaw`.
    func freeze() { signalConnections(SIGSTOP) }

    func thaw() { signalConnections(SIGCONT) }

    /// Cuts all connections.
    func end() {
        signalConnections(SIGKILL)
        kill(process.processIdentifier, SIGKILL)
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
}

/// Certificates made for one test: an authority, a server's, and a client's.
struct Certificates {
    let folder: URL

    init(in folder: URL) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test authority", "-keyout",
            "authority.key", "-out", "authority.pem")
        try await issue("server", "/CN=127.0.0.1", "subjectAltName=IP:127.0.0.1")
        try await issue("client", "/CN=gateway", "subjectAltName=DNS:gateway")
    }

    var authority: String { path("authority.pem") }
    var server: String { path("server.pem") }
    var serverKey: String { path("server.key") }
    var client: String { path("client.pem") }
    var clientKey: String { path("client.key") }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func issue(_ name: String, _ subject: String, _ names: String) async throws {
        try await openssl(
            "req", "-newkey", "rsa:2048", "-nodes", "-subj", subject, "-keyout", "\(name).key", "-out", "\(name).csr")
        try names.write(toFile: path("\(name).ext"), atomically: true, encoding: .utf8)
        try await openssl(
            "x509", "-req", "-in", "\(name).csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
            "-days", "2", "-extfile", "\(name).ext", "-out", "\(name).pem")
    }

    private func openssl(_ arguments: String...) async throws {
        try await TestBroker.run("openssl", arguments, in: folder)
    }
}
