import BlueZSimulator
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
        deliveries.whenDelivered = { [weak mailbox, unowned deliveries] in
            if deliveries.counts.count < 100 { mailbox?.post(.scanEnded(0)) }
        }
        mailbox.post(.scanEnded(0))
        try await eventually("all deliveries") { queue.sync(flags: .barrier) { deliveries.counts.count == 100 } }
        #expect(queue.sync(flags: .barrier) { deliveries.counts } == Array(repeating: 1, count: 100))
    }

    @Test("A queue that stands gets the last 1,024 values of each characteristic, and all answers")
    func values() {
        var waiting = WaitingEvents()
        let (first, second) = (UUID(), UUID())
        var most = 0
        for number in 0..<10_000 {
            waiting.append(.value(first, 1, Data([UInt8(number >> 8), UInt8(number & 0xFF)])))
            if number % 1_000 == 0 { waiting.append(.value(first, 2, Data([UInt8(number / 1_000)]))) }
            if number % 2_000 == 0 { waiting.append(.value(second, 1, Data([UInt8(number / 2_000)]))) }
            if number % 10 == 0 { waiting.append(.peripheral(first, .written(number, nil))) }
            most = max(most, waiting.events.count)
        }
        let (events, dropped) = waiting.take()
        #expect(most < 6_000 && waiting.isEmpty)
        var values: [Int] = []
        var others: [Data] = []
        var answers: [Int] = []
        for event in events {
            switch event {
            case .value(first, 1, let value): values.append(Int(value[0]) << 8 | Int(value[1]))
            case .value(_, _, let value): others.append(value)
            case .peripheral(_, .written(let number, _)): answers.append(number)
            default: Issue.record("\(event)")
            }
        }
        #expect(values.count >= WaitingEvents.limit && values.elementsEqual(10_000 - values.count..<10_000))
        #expect(dropped.values == 10_000 - values.count && dropped.discoveries == 0)
        #expect(others.map { $0[0] } == [0, 0, 1, 2, 1, 3, 4, 2, 5, 6, 3, 7, 8, 4, 9])
        #expect(answers.elementsEqual(stride(from: 0, to: 10_000, by: 10)))
        // Nothing was dropped since.
        waiting.append(.value(first, 1, Data()))
        #expect(waiting.take().1.values == 0)
    }

    @Test("A queue that stands gets the last discovery and name of each peripheral, and all changes of services")
    func discoveries() {
        var waiting = WaitingEvents()
        let (quiet, loud) = (UUID(), UUID())
        waiting.append(.found(FoundPeripheral(quiet, nil, AdvertisementData(), 1)))
        for number in 0..<10_000 {
            waiting.append(.found(FoundPeripheral(loud, nil, AdvertisementData(), number)))
            waiting.append(.peripheral(loud, .name("\(number)")))
            waiting.append(.peripheral(loud, .servicesModified([number])))
        }
        #expect(waiting.events.count <= 1_024)
        let (events, dropped) = waiting.take()
        var strengths: [UUID: [Int?]] = [:]
        var names: [String?] = []
        var services: [Int] = []
        for event in events {
            switch event {
            case .found(let found): strengths[found.identifier, default: []].append(found.rssi)
            case .peripheral(loud, .name(let name)): names.append(name)
            case .peripheral(loud, .servicesModified(let tokens)): services += tokens
            default: Issue.record("\(event)")
            }
        }
        #expect(strengths[quiet] == [1] && strengths[loud]?.last == 9_999 && names.last == "9999")
        #expect(dropped.discoveries == 10_000 - (strengths[loud]?.count ?? 0))
        #expect(services.elementsEqual(0..<10_000))
    }

    @Test("A queue that stands gets discoveries and names of the last 1,024 peripherals")
    func peripherals() {
        var waiting = WaitingEvents()
        for number in 0..<10_000 {
            let identifier = UUID()
            waiting.append(.found(FoundPeripheral(identifier, nil, AdvertisementData(), number)))
            waiting.append(.peripheral(identifier, .name("\(number)")))
        }
        #expect(waiting.events.count <= 4 * 1_024)
        let strengths = waiting.take().0.compactMap { event in
            if case .found(let found) = event { found.rssi } else { Int?.none }
        }
        #expect(strengths.count >= WaitingEvents.limit && strengths.elementsEqual(10_000 - strengths.count..<10_000))
    }

    @Test("What was dropped is logged")
    func log() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let mailbox = Mailbox(DispatchQueue(label: "slow"))
            for _ in 0..<1_025 { mailbox.post(.value(UUID(), 1, Data())) }
            _ = mailbox.take()
            let identifier = UUID()
            for _ in 0..<2_050 { mailbox.post(.value(identifier, 1, Data())) }
            _ = mailbox.take()
        }
        let sentence = "The queue \"slow\" took events too slowly: 1024 values and 0 discoveries were dropped"
        #expect(result?.errors.components(separatedBy: "took events too slowly").count == 2)
        #expect(result?.errors.contains(sentence) == true)
    }
}
