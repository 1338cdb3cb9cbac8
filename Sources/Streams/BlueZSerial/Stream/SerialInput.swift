import CoreBlueZ
import DequeModule
import FoundationEssentials

/// A buffer of received bytes, for a handler that may pause.
@BluetoothActor final class SerialInput {
    /// Called with the bytes. While it is nil, they wait.
    var handler: (@BluetoothActor (Data) -> Void)? {
        didSet {
            changes += 1
            deliverSoon()
        }
    }
    /// The number of times that the handler was set.
    private(set) var changes = 0

    /// Whether a handler is about to take waiting bytes.
    var isTaken: Bool { handler != nil && !waiting.isEmpty }

    /// The maximum number of waiting bytes.
    var limit = 0
    /// The number of waiting bytes.
    private(set) var count = 0
    private var waiting: Deque<Data> = []
    private var isDelivering = false

    /// Adds bytes, or passes them to the handler.
    ///
    /// - Returns: false if there is no space for the bytes, which are then dropped.
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
        BluetoothActor.perform { [self] in deliver() }
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
