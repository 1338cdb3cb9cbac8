import BlueZSerial
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

/// A consumer whose task is cancelled gets what is buffered, and then the end of the sequence without an error.
@Suite(.virtualTime) struct SequenceCancellationTests {
    enum Sequence: CaseIterable, Sendable { case received, messages, events }

    @Test("A cancelled consumer gets what is buffered, and no error", arguments: Sequence.allCases)
    @BluetoothActor func cancelled(sequence: Sequence) async throws {
        for consumer in CancelledConsumer.allCases {
            let stream = MemoryStream()
            let count: Int
            switch sequence {
            case .received:
                let bytes = stream.received()
                stream.arrive(Data("a\n".utf8))
                count = try await consumer.count(of: bytes)
            case .messages:
                let framed = FramedStream(stream, framing: TerminatorFraming(Data([0x0A])))
                let messages = framed.events()
                stream.arrive(Data("a\n".utf8))
                count = try await consumer.count(of: messages)
            case .events:
                let central = TxRxCentral(CentralManager(bus: .address("unix:path=/nonexistent")))
                let events = central.events()
                central.stopScan()
                count = try await consumer.count(of: events)
            }
            #expect(count == 1)
        }
    }
}
