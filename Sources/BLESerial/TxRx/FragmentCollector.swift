import CoreBlueZ
import FoundationEssentials

/// Puts fragments together: what comes without a gap is one message.
@BluetoothActor final class FragmentCollector {
    /// Gets each message.
    var completed: (@BluetoothActor (Data) -> Void)?
    /// What has come of the next message.
    private(set) var data = Data()
    private var timer: ScheduledCall?

    /// How long a message may become: at that length it is delivered as it is, so that a device that never pauses does
    /// not fill the memory.
    static let limit = 1 << 20

    /// Takes a fragment.
    ///
    /// - Parameter gap: how long nothing may come until the message is complete.
    func append(_ fragment: Data, gap: Duration) {
        timer?.cancel()
        data += fragment
        guard data.count < Self.limit else { return complete() }
        timer = BluetoothActor.after(gap) { [weak self] in self?.complete() }
    }

    /// Delivers what there is now.
    func complete() {
        timer?.cancel()
        timer = nil
        guard !data.isEmpty else { return }
        let message = data
        data = Data()
        completed?(message)
    }

    /// Forgets what there is.
    func clear() {
        timer?.cancel()
        timer = nil
        data = Data()
    }
}
