import CommandLineSupport
import CoreBlueZ
import DBus

/// Says on Bluetooth's thread when a descriptor is ready; once for each `wait`, so that a hang-up, which lasts, is not told
/// again and again.
@BluetoothActor final class DescriptorWatch {
    /// The thread that waits for all of them.
    private static let loop = try? EventLoop(name: "gatt serial")

    private let descriptor: UnixFileDescriptor
    private let loop: EventLoop
    private let token = Lock<EventLoop.Token?>(nil)

    init(_ descriptor: UnixFileDescriptor, ready: @escaping @BluetoothActor () -> Void) throws(CommandFailure) {
        guard let loop = Self.loop else { throw CommandFailure(.unavailable, "The system has no thread left") }
        self.descriptor = descriptor
        self.loop = loop
        let source = loop.addSource(descriptor: -1, events: []) { [token, weak self] _ in
            if let token = token.withLock({ $0 }) { loop.updateSource(token, descriptor: -1, events: []) }
            BluetoothActor.perform {
                if let self, self.isActive { ready() }
            }
        }
        token.withLock { $0 = source }
    }

    isolated deinit { cancel() }

    private var isActive: Bool { token.withLock { $0 != nil } }

    /// Waits for these events from now on; for nothing, not even a hang-up, if they are empty.
    func wait(for events: PollEvents) {
        guard let token = token.withLock({ $0 }) else { return }
        loop.updateSource(token, descriptor: events.isEmpty ? -1 : descriptor.rawValue, events: events)
    }

    /// Ends it.
    func cancel() {
        let last = token.withLock { token in
            defer { token = nil }
            return token
        }
        if let last { loop.removeSource(last) }
    }
}
