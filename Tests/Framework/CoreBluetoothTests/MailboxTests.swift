import Dispatch
import TestSupport
import Testing

@testable import CoreBluetooth

/// The events that wait for a queue.
@Suite struct MailboxTests {
    /// What a queue has been given at a time, for one that calls are added to while it is used.
    private final class Deliveries {
        var counts: [Int] = []
        var whenDelivered: () -> Void = {}
    }

    private func mailbox(_ queue: DispatchQueue, _ deliveries: Deliveries) -> Mailbox {
        let mailbox = Mailbox(queue)
        mailbox.setDelivery(
            DispatchWorkItem { [weak mailbox] in
                deliveries.counts.append(mailbox?.take().count ?? 0)
                deliveries.whenDelivered()
                mailbox?.finishDelivery()
            })
        return mailbox
    }

    @Test("What comes while the queue is busy is delivered at once: one hop for all")
    func oneHop() async throws {
        let queue = DispatchQueue(label: "mailbox")
        let deliveries = Deliveries()
        let mailbox = mailbox(queue, deliveries)
        queue.sync { for number in 0..<1000 { mailbox.post(.scanEnded(number)) } }
        try await eventually("the delivery") { queue.sync { !deliveries.counts.isEmpty } }
        #expect(queue.sync { deliveries.counts } == [1000])
    }

    @Test("What comes during a delivery follows, even on a concurrent queue one delivery after another")
    func during() async throws {
        let queue = DispatchQueue(label: "mailbox", attributes: .concurrent)
        let deliveries = Deliveries()
        let mailbox = mailbox(queue, deliveries)
        deliveries.whenDelivered = { [weak mailbox] in
            if deliveries.counts.count < 100 { mailbox?.post(.scanEnded(0)) }
        }
        mailbox.post(.scanEnded(0))
        try await eventually("all deliveries") { queue.sync(flags: .barrier) { deliveries.counts.count == 100 } }
        #expect(queue.sync(flags: .barrier) { deliveries.counts } == Array(repeating: 1, count: 100))
    }
}
