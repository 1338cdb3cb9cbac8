import CoreBlueZ
import FoundationEssentials

/// Joins fragments. Those that arrive without a gap between them are one message.
@BluetoothActor final class FragmentCollector {
    /// Called with each message.
    var completed: (@BluetoothActor (Data) -> Void)?
    /// The part of the next message that has arrived.
    private(set) var data = Data()
    private var timer: ScheduledCall?

    /// The maximum length of a message. At that length it is delivered unfinished, so that a device that never pauses
    /// does not fill the memory.
    static let limit = 1 << 20

    /// Adds a fragment.
    ///
    /// - Parameter gap: the pause after which the message is complete.
    func append(_ fragment: Data, gap: Duration) {
        timer?.cancel()
        data += fragment
        guard data.count < Self.limit else { return complete() }
        timer = BluetoothActor.after(gap) { [weak self] in self?.complete() }
    }

    /// Delivers what has arrived so far.
    func complete() {
        timer?.cancel()
        timer = nil
        guard !data.isEmpty else { return }
        let message = data
        data = Data()
        completed?(message)
    }

    /// Removes and returns the beginning of what has arrived so far. The rest is complete after a gap.
    func take(_ count: Int, gap: Duration) -> Data {
        timer?.cancel()
        let message = Data(data.prefix(count))
        let rest = Data(data.dropFirst(count))
        data = Data()
        if !rest.isEmpty { append(rest, gap: gap) }
        return message
    }

    /// Puts back a message of which more is expected.
    func takeBack(_ message: Data) {
        data = message + data
    }

    /// Discards what has arrived so far.
    func clear() {
        timer?.cancel()
        timer = nil
        data = Data()
    }
}
