import CoreBlueZ
import DequeModule
import FoundationEssentials

/// Received bytes, for a handler that may pause.
@BluetoothActor final class SerialInput {
    /// Receives the bytes; while it is nil, they wait.
    var handler: (@BluetoothActor (Data) -> Void)? {
        didSet {
            changes += 1
            deliverSoon()
        }
    }
    /// How often the handler was set.
    private(set) var changes = 0

    /// Whether waiting bytes are about to be delivered.
    var isTaken: Bool { handler != nil && !waiting.isEmpty }

    /// How many bytes may wait.
    var limit = 0
    /// How many bytes wait.
    private(set) var count = 0
    private var waiting: Deque<Data> = []
    private var isDelivering = false

    /// Takes bytes.
    ///
    /// - Returns: false if there is no room for the bytes, which are dropped.
    func receive(_ bytes: Data) -> Bool {
        if waiting.isEmpty, !isDelivering, let handler {
            isDelivering = true
            handler(bytes)
            isDelivering = false
            deliverSoon()
            return true
        }
        guard count + bytes.count <= limit else { return false }
        waiting.append(bytes)
        count += bytes.count
        return true
    }

    /// Discards the waiting bytes.
    func clear() {
        waiting.removeAll()
        count = 0
    }

    private func deliverSoon() {
        guard handler != nil, !waiting.isEmpty else { return }
        BluetoothActor.later { [self] in deliver() }
    }

    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        while let handler, let bytes = waiting.popFirst() {
            count -= bytes.count
            handler(bytes)
        }
        isDelivering = false
    }
}
