import BlueZDBus
import BlueZUnixSockets
import CoreBlueZ
import Foundation

/// What a test asks a peripheral's side for.
protocol Control: Sendable {
    @discardableResult
    func ask(_ verb: String, _ arguments: [String: any Sendable]) async throws -> [String: any Sendable]
}

extension Control {
    @discardableResult
    func ask(_ verb: String) async throws -> [String: any Sendable] { try await ask(verb, [:]) }
}

/// Asks a peripheral's side for things, by JSON lines over a Unix socket. Nothing waits for an answer on the actor's
/// thread: the peer may ask this process something before it answers.
@BluetoothActor final class ControlClient: Control {
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private let socket: StreamSocket
    private var received: [UInt8] = []
    private var last = 0
    /// Who waits for an answer, in the order of the requests.
    private var waiting: [CheckedContinuation<[UInt8], any Error>] = []
    private var watch: DescriptorWatch?

    init(path: String) throws {
        socket = try StreamSocket(connectedTo: .socket(at: path))
        let watch = DescriptorWatch(socket.descriptor.rawValue) { [weak self] in self?.receive() }
        self.watch = watch
        watch.waitToRead()
    }

    /// Sends a request and waits for its answer.
    func ask(_ verb: String, _ arguments: [String: any Sendable]) async throws -> [String: any Sendable] {
        last += 1
        let request = (arguments as [String: Any]).merging(["id": last, "do": verb]) { $1 }
        let line = try Array(JSONSerialization.data(withJSONObject: request)) + [UInt8(ascii: "\n")]
        let bytes = try await withCheckedThrowingContinuation { continuation in
            waiting.append(continuation)
            if socket.send(line[...]) != line.count { end() }
        }
        let answer = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
        guard answer["ok"] as? Bool == true else {
            throw Refusal(description: "\(verb): \(answer["error"] as? String ?? "no reason given")")
        }
        return answer.compactMapValues(Self.sendable)
    }

    private func receive() {
        guard case .bytes(let bytes) = socket.receive(limit: 65536) else { return end() }
        received += bytes
        while let end = received.firstIndex(of: UInt8(ascii: "\n")), !waiting.isEmpty {
            waiting.removeFirst().resume(returning: Array(received[..<end]))
            received.removeFirst(end + 1)
        }
        watch?.waitToRead()
    }

    private func end() {
        watch?.cancel()
        let refusal = Refusal(description: "The control socket is closed")
        for continuation in waiting { continuation.resume(throwing: refusal) }
        waiting = []
    }

    private nonisolated static func sendable(_ value: Any) -> (any Sendable)? {
        switch value {
        case let value as [Any]:
            let parts = value.compactMap(sendable)
            if let strings = parts as? [String] { return strings }
            if let objects = parts as? [[String: any Sendable]] { return objects }
            return parts
        case let value as [String: Any]: return value.compactMapValues(sendable)
        case let value as String: return value
        case let value as NSNumber:
            return value.doubleValue == value.doubleValue.rounded() ? value.intValue : value.doubleValue
        default: return nil
        }
    }
}
