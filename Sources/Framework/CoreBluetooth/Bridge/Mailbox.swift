import CoreBlueZ
import Dispatch

/// Brings events to the manager's queue, in order.
///
/// The first event after a delivery puts one work item on the queue, which takes them all. At most one delivery is in
/// progress, even on a concurrent queue.
final class Mailbox: Sendable {
    private struct Content {
        var events = WaitingEvents()
        var isDeliveryDue = false
        /// Delivers the events. The queue's side makes it, and only the queue runs it.
        var delivery: DispatchWorkItem?
    }

    private let queue: DispatchQueue
    private let content = Lock(Content())

    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    /// Sets what delivers the events, before there are any.
    func setDelivery(_ delivery: DispatchWorkItem) {
        content.withLock { $0.delivery = delivery }
    }

    /// Adds an event, and has it delivered soon.
    func post(_ event: BridgeEvent) {
        let delivery = content.withLock { content -> DispatchWorkItem? in
            content.events.append(event)
            guard !content.isDeliveryDue else { return nil }
            content.isDeliveryDue = true
            return content.delivery
        }
        if let delivery { queue.async(execute: delivery) }
    }

    /// Takes the events at the beginning of a delivery.
    func take() -> [BridgeEvent] {
        let (events, dropped) = content.withLock { $0.events.take() }
        if dropped.values + dropped.discoveries > 0 {
            Misuse.warn(
                """
                The queue "\(queue.label)" took events too slowly: \(dropped.values) values and \(dropped.discoveries) \
                discoveries were dropped
                """)
        }
        return events
    }

    /// Ends a delivery. Has the events delivered that were added meanwhile.
    func finishDelivery() {
        let delivery = content.withLock { content -> DispatchWorkItem? in
            content.isDeliveryDue = !content.events.isEmpty
            return content.isDeliveryDue ? content.delivery : nil
        }
        if let delivery { queue.async(execute: delivery) }
    }
}
