import CoreBlueZ
import FoundationEssentials
import Measuring

/// A peripheral, which the mock subscribes to, reads or takes values from, and unsubscribes from. The work is what
/// is between.
@BluetoothActor final class Serving {
    private let manager = PeripheralManager()
    private let characteristic = LocalCharacteristic(0x2A37, properties: [.read, .notify])
    private let count: Int
    private var next: UInt32 = 0
    private var reads = 0
    private var usage = ResourceUsage()

    private init(_ count: Int) { self.count = count }

    /// Serves reads until the mock has had enough.
    static func reads(_ count: Int) async throws {
        let serving = Serving(count)
        let value = Data(repeating: 1, count: MockValues.length)
        serving.characteristic.readHandler = { request in
            serving.reads += 1
            request.respond(with: value)
        }
        try await serving.run {}
        guard serving.reads == count else { throw Client.Failure(description: "Reads are missing") }
    }

    /// Sends values, with so many on their way that there is always one to send.
    static func values(_ count: Int) async throws {
        let serving = Serving(count)
        try await serving.run {
            for _ in 0..<64 { serving.send() }
        }
    }

    /// Sends values, each awaited.
    static func awaits(_ count: Int) async throws {
        let serving = Serving(count)
        try await serving.run {
            Task {
                for _ in 0..<count { try await serving.characteristic.notify(serving.value()) }
            }
        }
    }

    private func run(_ body: @escaping @BluetoothActor () -> Void) async throws {
        let service = LocalService(0x180D, characteristics: [characteristic])
        try await completion { completion in
            characteristic.subscriptionHandler = { [self] _, change in
                switch change {
                case .subscribed:
                    usage = ResourceUsage()
                    body()
                case .unsubscribed:
                    usage.end(count)
                    completion(nil)
                }
            }
            manager.publish(service) { error in if error != nil { completion(error) } }
        }
    }

    private func send() {
        guard next < count else { return }
        characteristic.notify(value()) { [self] error in if error == nil { send() } }
    }

    /// The next value, which begins with its number.
    private func value() -> Data {
        defer { next += 1 }
        return Data((0..<4).map { UInt8(truncatingIfNeeded: next >> (8 * $0)) } + [UInt8](repeating: 0, count: 16))
    }
}
