import BlueZClient
import BlueZDBus
import DequeModule

/// Messages that have passed and are not read yet. Reading a message takes longer than passing it on. So messages are
/// read when nothing has passed for a moment, or a few at a time if that does not happen, in the order in which they
/// passed.
@BluetoothActor final class PassedMessages {
    private struct Passed {
        let bytes: [UInt8]
        let time: MonotonicInstant
        let read: (Message) -> Void
    }

    /// The time at which the message that is being read has passed; nil if none is.
    private(set) var time: MonotonicInstant?

    private var messages: Deque<Passed> = []
    private var byteCount = 0
    private var timer: ScheduledCall?

    private static let delay = Duration.milliseconds(1)
    /// The longest delay.
    private static let longestDelay = Duration.milliseconds(20)
    /// How many messages are read at a time while others pass.
    private static let portion = 8
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
        if timer == nil { wait(Self.delay) }
    }

    private func wait(_ delay: Duration) {
        timer = BluetoothActor.after(delay) { [weak self] in
            self?.timer = nil
            self?.readSome()
        }
    }

    private func readSome() {
        guard let first = messages.first, let last = messages.last else { return }
        let now = MonotonicInstant.now
        let isQuiet = now - last.time >= Self.delay
        guard isQuiet || now - first.time >= Self.longestDelay else { return wait(Self.delay - (now - last.time)) }
        read(Self.portion)
        if !messages.isEmpty { wait(.zero) }
    }

    /// Reads all of them now. Does nothing if they are being read.
    func readAll() {
        guard time == nil else { return }
        timer?.cancel()
        timer = nil
        read(.max)
    }

    private func read(_ limit: Int) {
        var count = 0
        while count < limit, let message = messages.popFirst() {
            count += 1
            byteCount -= message.bytes.count
            time = message.time
            if let content = try? Message.decode(message.bytes[...]) { message.read(content) }
            time = nil
        }
    }
}
