import CoreBlueZ
import DequeModule
import FoundationEssentials

/// Bytes that arrived, on their way to a handler that may pause.
@BluetoothActor final class SerialInput {
    /// Gets the bytes; while it is nil they wait.
    var handler: (@BluetoothActor (Data) -> Void)? {
        didSet {
            changes += 1
            deliverSoon()
        }
    }
    /// How often the handler was set.
    private(set) var changes = 0

    /// Whether bytes wait that are about to be delivered.
    var isTaken: Bool { handler != nil && !waiting.isEmpty }

    /// How many bytes may wait.
    var limit = 0
    /// How many bytes wait.
    private(set) var count = 0
    private var waiting: Deque<Data> = []
    private var isDelivering = false

    /// Takes bytes.
    ///
    /// - Returns: false with the bytes dropped, if there is no room for them.
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

    /// Discards what waits.
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
