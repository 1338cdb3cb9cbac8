import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// A consumer whose task is cancelled gets what is buffered, and then the end of the sequence without an error.
@Suite(.virtualTime) struct SequenceCancellationTests {
    enum Sequence: CaseIterable, Sendable {
        case scanResults, states, events, keptStates, snapshots, notifications, acquired

        /// How many elements there are to take before the consumer is cancelled.
        var buffered: Int { self == .acquired ? 0 : 1 }

        /// Makes the sequence, has the elements put into it, and counts what the consumer gets.
        @BluetoothActor func count(_ consumer: CancelledConsumer, _ fixture: PeripheralFixture) async throws -> Int {
            let central = fixture.central
            switch self {
            case .scanResults:
                let results = central.scanResults()
                try await eventually("a result") { !central.peripherals.isEmpty }
                return try await consumer.count(of: results)
            case .states: return try await consumer.count(of: central.stateChanges())
            case .events:
                let events = central.events()
                _ = try await fixture.connect()
                return try await consumer.count(of: events)
            case .keptStates:
                let kept = central.keepConnected(named: "Watch")
                let states = kept.states()
                defer { kept.finish(nil) }
                return try await consumer.count(of: states)
            case .snapshots:
                let peripheral = try await fixture.connect()
                let snapshots = peripheral.snapshots()
                let observation = Box<PeripheralSnapshot>()
                let observer = peripheral.observe { observation.values.append($0) }
                defer { observer.cancel() }
                try await eventually("a snapshot") { !observation.values.isEmpty }
                return try await consumer.count(of: snapshots)
            case .notifications:
                let updates = try fixture.updates(of: try await fixture.connect())
                let values = try await updates.notifications()
                await fixture.simulator.notify([7])
                try await eventually("the value") { updates.value == Data([7]) }
                return try await consumer.count(of: values)
            case .acquired:
                let updates = try fixture.updates(of: try await fixture.connect())
                let notifications = try await updates.acquireNotify()
                return try await consumer.count(of: notifications)
            }
        }
    }

    @Test("A cancelled consumer gets what is buffered, and no error", arguments: Sequence.allCases)
    func cancelled(sequence: Sequence) async throws {
        for consumer in CancelledConsumer.allCases {
            try await PeripheralFixture.run { fixture in
                let count = try await sequence.count(consumer, fixture)
                #expect(count >= sequence.buffered)
            }
        }
    }

    @Test("A sequence that has failed throws to a cancelled consumer too: the error is not lost")
    @BluetoothActor func failed() async {
        let buffer = EventSequence<Int>.Buffer(limit: 3)
        buffer.append(1)
        buffer.finish(BluetoothError(.disconnected, "Gone"))
        let error = await #expect(throws: BluetoothError.self) {
            try await CancelledConsumer.early.count(of: EventSequence(buffer))
        }
        #expect(error?.code == .disconnected)
    }
}
