import BlueZSerial
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

@Suite("Framed streams", .virtualTime) @BluetoothActor struct FramedStreamTests {
    typealias Event = FramedStream<CardReaderFrame>.Event

    private let stream = MemoryStream()

    private func framed(idleGap: Duration = .seconds(60)) -> FramedStream<CardReaderFrame> {
        FramedStream(stream, framing: CardReaderFraming(idleGap: idleGap))
    }

    @Test("Messages and errors arrive in order, and wait until there is a handler")
    func receiving() async throws {
        let framed = framed()
        stream.arrive(Data([0xEE]) + (try frame(1)))
        stream.arrive(try frame(2).prefix(3))
        var events: [Event] = []
        framed.receiveHandler = { events.append($0) }
        try await eventually("the first events", until: { events.count == 2 })
        stream.arrive(try frame(2).dropFirst(3))
        #expect(events.map(\.reason) == [.garbage, nil, nil])
        #expect(events.compactMap(\.message?.command) == [1, 2])
    }

    @Test("A handler that takes itself away keeps what follows for the next one")
    func handlerGoes() async throws {
        let framed = framed()
        var first: [Event] = []
        framed.receiveHandler = { [unowned framed] in
            first.append($0)
            framed.receiveHandler = nil
        }
        stream.arrive(try frame(1) + frame(2) + frame(3))
        try await eventually("one event", until: { first.count == 1 })
        stream.arrive(try frame(4))
        #expect(stream.waitingCount == 7)
        var second: [Event] = []
        framed.receiveHandler = { second.append($0) }
        try await eventually("the others", until: { second.count == 3 })
        #expect(second.compactMap(\.message?.command) == [2, 3, 4])
    }

    @Test("Silence drops what is incomplete")
    func silence() async throws {
        let framed = framed(idleGap: .milliseconds(5))
        var events: [Event] = []
        framed.receiveHandler = { events.append($0) }
        stream.arrive(Data([0x02, 0, 0, 1, 0]) + (try frame(3)))
        try await eventually("the frame behind the false start", until: { events.count == 2 })
        #expect(events.map(\.reason) == [.cutOff, nil])
    }

    @Test("What the end of the link cuts off is an error, then the end comes with its reason")
    func end() async throws {
        let framed = framed()
        var told: [String] = []
        framed.receiveHandler = { told.append($0.reason.map { "\($0)" } ?? "message") }
        framed.endHandler = { told.append($0.map { "\($0.code)" } ?? "closed") }
        stream.arrive(try frame(1) + frame(2).dropLast())
        try await eventually("the message", until: { told.count == 1 })
        stream.end()
        #expect(told == ["message", "cutOff", "disconnected"])
        var late: [BluetoothError?] = []
        framed.endHandler = { late.append($0) }
        #expect(late.isEmpty)
    }

    @Test("An end that came before its handler is reported to it")
    func lateEndHandler() async throws {
        let framed = framed()
        try await eventually("nothing in particular", until: { true })
        framed.close()
        var ends: [BluetoothError?] = []
        framed.endHandler = { ends.append($0) }
        try await eventually("the end", until: { !ends.isEmpty })
        #expect(ends == [nil])
        #expect(!framed.isOpen)
    }

    @Test("A message is sent in one frame; one that is too long is an error")
    func sending() async throws {
        let framed = framed()
        try await framed.send(CardReaderFrame(command: 1, subcommand: 0))
        #expect(stream.sent == [try frame(1)])
        let error = await #expect(throws: BluetoothError.self) {
            try await framed.send(CardReaderFrame(command: 1, subcommand: 0, data: Data(count: 600)))
        }
        #expect(error?.code == .valueTooLong)
        stream.sendError = BluetoothError(.att, "no")
        var results: [BluetoothError?] = []
        framed.send(CardReaderFrame(command: 1, subcommand: 0)) { results.append($0) }
        try await eventually("the failure", until: { results.count == 1 })
        #expect(results[0]?.code == .att)
    }

    @Test("A task that is cancelled takes its message back")
    func cancelledSending() async throws {
        let framed = framed()
        stream.holdsHandingOver = true
        let task = Task { @BluetoothActor in try await framed.send(CardReaderFrame(command: 1, subcommand: 0)) }
        try await eventually("the request", until: { stream.lastSend != nil })
        task.cancel()
        await #expect(throws: BluetoothError(.cancelled, "cancelled")) { try await task.value }
    }

    @Test("The sequence has the same events and ends as the stream does")
    func sequence() async throws {
        let framed = framed()
        let events = framed.events()
        stream.arrive(Data([1]) + (try frame(1)))
        stream.arrive(try frame(2))
        var seen: [Event] = []
        let error = await #expect(throws: BluetoothError.self) {
            for try await event in events {
                seen.append(event)
                if seen.count == 3 { stream.end() }
            }
        }
        #expect(error?.code == .disconnected)
        #expect(seen.map(\.reason) == [.garbage, nil, nil])
    }

    @Test("Clearing forgets the first half of a message")
    func clearing() async throws {
        let framed = framed()
        var events: [Event] = []
        framed.receiveHandler = { events.append($0) }
        stream.arrive(try frame(1).prefix(4))
        try await eventually("the bytes to be taken", until: { stream.waitingCount == 0 })
        framed.clear()
        stream.arrive(try frame(2))
        #expect(events.compactMap(\.message?.command) == [2])
        #expect(events.count == 1)
    }
}
