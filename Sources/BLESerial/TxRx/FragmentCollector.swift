import CoreBlueZ
import FoundationEssentials

/// Joins fragments: what arrives without a gap is one message.
@BluetoothActor final class FragmentCollector {
    /// Gets each message.
    var completed: (@BluetoothActor (Data) -> Void)?
    /// What has arrived of the next message.
    private(set) var data = Data()
    private var timer: ScheduledCall?

    /// The maximum length of a message: at that length it is delivered as it is, so that a device that never pauses
    /// does not fill the memory.
    static let limit = 1 << 20

    /// Takes a fragment.
    ///
    /// - Parameter gap: how long nothing must arrive for the message to be complete.
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

    /// Takes the beginning of what has arrived so far; the rest is complete after a gap.
    func take(_ count: Int, gap: Duration) -> Data {
        timer?.cancel()
        let message = Data(data.prefix(count))
        let rest = Data(data.dropFirst(count))
        data = Data()
        if !rest.isEmpty { append(rest, gap: gap) }
        return message
    }

    /// Takes a message back, of which more has to arrive.
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
