import BlueZSerial
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

/// Sequences that others replace.
@Suite("Replaced sequences", .virtualTime) @BluetoothActor struct SequenceReplacementTests {
    private let stream = MemoryStream()

    @Test("A sequence of bytes that another replaces ends, however many do, and the last gets the end")
    func roundsOfByteSequences() async throws {
        var ends = 0
        stream.endHandler = { _ in ends += 1 }
        let first = stream.received()
        for _ in 0..<100 * Rounds.count(10) { _ = stream.received() }
        let last = stream.received()
        for try await _ in first {}
        stream.arrive(Data([1]))
        var taken = Data()
        let error = await #expect(throws: BluetoothError.self) {
            for try await bytes in last {
                taken += bytes
                stream.end()
            }
        }
        #expect(error?.code == .disconnected && taken == Data([1]))
        #expect(ends == 1)
    }

    @Test("A sequence of messages that another replaces ends, however many do, and the last gets the end")
    func roundsOfMessageSequences() async throws {
        let framed = FramedStream(stream, framing: TerminatorFraming(Data("\n".utf8)))
        var ends = 0
        framed.endHandler = { _ in ends += 1 }
        let first = framed.events()
        for _ in 0..<100 * Rounds.count(10) { _ = framed.events() }
        let last = framed.events()
        for try await _ in first {}
        stream.arrive(Data("message\n".utf8))
        var taken: [Data] = []
        let error = await #expect(throws: BluetoothError.self) {
            for try await event in last {
                taken.append(try event.get())
                stream.end()
            }
        }
        #expect(error?.code == .disconnected && taken == [Data("message".utf8)])
        #expect(ends == 1)
    }

    @Test("A sequence of messages that is left late does not take the handler of its successor away")
    func lateEnd() async throws {
        let framed = FramedStream(stream, framing: TerminatorFraming(Data("\n".utf8)))
        var lines: [Data] = []
        do {
            let sequence = framed.events()
            framed.receiveHandler = { if case .success(let line) = $0 { lines.append(line) } }
            withExtendedLifetime(sequence) {}
        }
        var isLater = false
        BluetoothActor.perform { isLater = true }
        try await eventually("the end of the sequence") { isLater }
        stream.arrive(Data("message\n".utf8))
        #expect(lines == [Data("message".utf8)])
    }

    @Test("A sequence of messages whose place was taken ends with the stream")
    func deprived() async throws {
        let framed = FramedStream(stream, framing: TerminatorFraming())
        let events = framed.events()
        framed.receiveHandler = nil
        stream.end()
        await #expect(throws: BluetoothError.self) { for try await _ in events {} }
    }

    @Test("A framed stream takes the bytes over from another, which does not take them back")
    func successor() async throws {
        var first: FramedStream<Data>? = FramedStream(stream, framing: TerminatorFraming(Data("\n".utf8)))
        first?.receiveHandler = { _ in Issue.record("The first got bytes") }
        let second = FramedStream(stream, framing: TerminatorFraming(Data("\n".utf8)))
        var lines: [Data] = []
        second.receiveHandler = { if case .success(let line) = $0 { lines.append(line) } }
        stream.arrive(Data("one\n".utf8))
        first = nil
        var isLater = false
        BluetoothActor.perform { isLater = true }
        try await eventually("the end of the first") { isLater }
        stream.arrive(Data("two\n".utf8))
        #expect(lines == [Data("one".utf8), Data("two".utf8)])
    }

    @Test("A sequence of messages ends with the framed stream that it came from")
    func released() async throws {
        let events = FramedStream(stream, framing: TerminatorFraming()).events()
        for try await _ in events {}
        try await eventually("the stream to be free") { stream.receiveHandler == nil }
    }
}
