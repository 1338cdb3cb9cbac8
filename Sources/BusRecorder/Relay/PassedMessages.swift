import BluetoothRuntime
import DBus

/// Messages that have passed and are not read yet. Reading a message takes longer than passing it on. So messages are
/// read a moment later, in the order in which they passed: usually, the next request has passed by then.
@BluetoothActor final class PassedMessages {
    private struct Passed {
        let bytes: [UInt8]
        let time: MonotonicInstant
        let read: (Message) -> Void
    }

    /// When the message that is being read has passed; nil if none is.
    private(set) var time: MonotonicInstant?

    private var messages: [Passed] = []
    private var byteCount = 0
    private var timer: ScheduledCall?

    private static let delay = Duration.milliseconds(1)
    /// How many bytes may wait.
    private static let byteLimit = 1 << 18

    /// Adds a message that has passed now.
    ///
    /// - Parameter read: called with it later, unless it is invalid.
    func add(_ bytes: ArraySlice<UInt8>, _ read: @escaping (Message) -> Void) {
        // A copy, because a slice would keep the whole portion in which it came.
        messages.append(Passed(bytes: Array(bytes), time: .now, read: read))
        byteCount += bytes.count
        guard byteCount <= Self.byteLimit else { return readAll() }
        if timer == nil { timer = BluetoothActor.after(Self.delay) { [weak self] in self?.readAll() } }
    }

    /// Reads all of them now. Does nothing if they are being read.
    func readAll() {
        guard time == nil, !messages.isEmpty else { return }
        timer?.cancel()
        timer = nil
        let passed = messages
        messages = []
        byteCount = 0
        for message in passed {
            time = message.time
            if let content = try? Message.decode(message.bytes[...]) { message.read(content) }
        }
        time = nil
    }
}
