import BlueZDBus
import Dispatch
import Foundation
import Glibc

/// What a test asks a peripheral's side for.
protocol Control: Sendable {
    @discardableResult
    func ask(_ verb: String, _ arguments: [String: any Sendable]) async throws -> [String: any Sendable]
}

extension Control {
    @discardableResult
    func ask(_ verb: String) async throws -> [String: any Sendable] { try await ask(verb, [:]) }
}

/// Asks a peripheral's side for things, by JSON lines over a Unix socket.
///
/// It waits for answers on a thread of its own: the peer may ask this process something before it answers.
final class ControlClient: Control {
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var received: [UInt8] = []
        var next = 1
    }

    private let descriptor: CInt
    private let queue = DispatchQueue(label: "control")
    private let state = Lock(State())

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard descriptor >= 0, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Refusal(description: "No socket for \(path)")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Refusal(description: "Nobody listens at \(path)") }
    }

    deinit { close(descriptor) }

    /// Sends a request and waits for its answer.
    func ask(_ verb: String, _ arguments: [String: any Sendable]) async throws -> [String: any Sendable] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try self.state.withLock { try self.ask(verb, arguments, &$0) } })
            }
        }
    }

    private func ask(
        _ verb: String, _ arguments: [String: any Sendable], _ state: inout State
    ) throws -> [String: any Sendable] {
        var request = arguments as [String: Any]
        request["id"] = state.next
        request["do"] = verb
        state.next += 1
        var line = try Array(JSONSerialization.data(withJSONObject: request))
        line.append(UInt8(ascii: "\n"))
        let sent = unsafe line.withUnsafeBytes {
            unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == line.count else { throw Refusal(description: "The control socket is closed") }
        let answer = try JSONSerialization.jsonObject(with: Data(readLine(&state))) as? [String: Any] ?? [:]
        guard answer["ok"] as? Bool == true else {
            throw Refusal(description: "\(verb): \(answer["error"] as? String ?? "no reason given")")
        }
        return answer.compactMapValues(Self.sendable)
    }

    private func readLine(_ state: inout State) throws -> [UInt8] {
        while true {
            if let end = state.received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { state.received.removeFirst(end + 1) }
                return Array(state.received[..<end])
            }
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw Refusal(description: "The control socket is closed") }
            state.received += buffer[..<count]
        }
    }

    private static func sendable(_ value: Any) -> (any Sendable)? {
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
