import Foundation
import TestSupport
import Testing

/// A broker that answers as it is told, or not at all: with errors that Mosquitto never has. It ignores subscriptions.
final class FrugalBroker {
    private let process = Process()
    private let port: UInt16
    private let log: URL

    /// Starts it.
    ///
    /// - Parameters:
    ///   - reason: the reason code of each PUBACK; nil sends none.
    ///   - firstEnd: in hexadecimal digits, with what it ends the connection in which the first PUBLISH comes.
    ///   - connectReasons: the reason codes of the first CONNACKs; all others report success.
    ///   - packetLimits: the Maximum Packet Sizes of the first CONNACKs, below 256; 0 and all others have none.
    init(
        reason: UInt8?, firstEnd: String? = nil, connectReasons: [UInt8] = [], packetLimits: [UInt8] = []
    ) async throws {
        port = try TestBroker.freePort()
        log = FileManager.default.temporaryDirectory.appending(path: "corebluez-packets-\(UUID().uuidString)")
        let program = """
            import socket
            listener = socket.create_server(("127.0.0.1", \(port)))
            end = \(firstEnd.map { "bytes.fromhex(\"\($0)\")" } ?? "None")
            reasons = \(connectReasons)
            limits = \(packetLimits)
            reason = \(reason.map { "[\($0)]" } ?? "None")
            log = open("\(log.path)", "w")
            while True:
                connection, _ = listener.accept()
                stream = connection.makefile("rb")
                while True:
                    kind = stream.read(1)
                    if not kind:
                        break
                    # A length below 16384, 7 bits in a byte.
                    length, shift = 0, 0
                    while True:
                        byte = stream.read(1)[0]
                        length |= (byte & 127) << shift
                        shift += 7
                        if byte < 128:
                            break
                    packet = stream.read(length)
                    log.write((kind + bytes([length & 255]) + packet).hex() + "\\n")
                    log.flush()
                    if kind[0] >> 4 == 1:
                        limit = limits.pop(0) if limits else 0
                        properties = [0x27, 0, 0, 0, limit] if limit else []
                        reply = [0, reasons.pop(0) if reasons else 0, len(properties)] + properties
                        connection.sendall(bytes([0x20, len(reply)] + reply))
                    elif kind[0] >> 4 == 3 and end is not None:
                        connection.sendall(end)
                        end = None
                        break
                    elif kind[0] >> 4 == 3 and reason is not None:
                        start = 2 + int.from_bytes(packet[:2], "big")
                        connection.sendall(b"\\x40\\x03" + packet[start:start + 2] + bytes(reason))
                    elif kind[0] >> 4 == 12:
                        connection.sendall(b"\\xd0\\x00")
                stream.close()
                connection.close()
            """
        process.executableURL = URL(fileURLWithPath: try TestBroker.program("python3"))
        process.arguments = ["-c", program]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let port = port
        try await Patience.wait(for: "the port") { TestBroker.isOpen(port) }
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: log)
    }

    /// Makes what arrives wait until `thaw`.
    func freeze() { kill(process.processIdentifier, SIGSTOP) }

    func thaw() { kill(process.processIdentifier, SIGCONT) }

    /// The packets that have come, in hexadecimal digits, with one byte for the length.
    func packets(_ kind: Character) -> [String] {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.first == kind }.map(String.init)
    }

    /// The DISCONNECT packets, once there is one.
    func ends() async throws -> [String] {
        try await Patience.wait(for: "the end") { !packets("e").isEmpty }
        return packets("e")
    }

    var url: String { "mqtt://127.0.0.1:\(port)" }
}
