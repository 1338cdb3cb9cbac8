import BlueZSerial
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

/// What holds of replies that come after a timeout, and what cannot.
@Suite("Late replies", .virtualTime) @BluetoothActor struct LateReplyTests {
    private typealias Setup = ExchangeTests.Setup

    /// An exchange whose first request, "a", has timed out.
    private func timedOut(window: Duration?) async throws -> Setup {
        let setup = Setup(lateReplyWindow: window)
        setup.ask("a", timeout: .milliseconds(5))
        try await setup.waitForOutcomes(1)
        return setup
    }

    /// Lets bytes arrive, each after its time in milliseconds from now.
    private func arrive(_ pieces: KeyValuePairs<Int, String>, _ setup: Setup) {
        for (time, piece) in pieces {
            _ = BluetoothActor.after(.milliseconds(time)) { setup.stream.arrive(Data(piece.utf8)) }
        }
    }

    @Test("Without a window, the next request is not sent before the late reply has come, whenever that is")
    func unlimited() async throws {
        let plain = Exchange(FramedStream(MemoryStream(), framing: TerminatorFraming()))
        #expect(plain.lateReplyWindow == .seconds(2))
        let setup = try await timedOut(window: nil)
        setup.ask("b", timeout: .milliseconds(20))
        try await setup.waitForOutcomes(2)
        #expect(setup.outcomes.map(\.code) == [.timedOut, .timedOut])
        setup.ask("c")
        setup.arrive("!news")
        #expect(setup.stream.sent == [Data("a\n".utf8)])
        setup.arrive("reply to a")
        try await setup.waitForSends(2)
        setup.arrive("reply to c")
        #expect(setup.unsolicited == ["!news", "reply to a"])
        #expect(setup.outcomes.last == .success("reply to c"))
    }

    @Test("A late reply that arrives in pieces is waited for, even if the window ends between them")
    func pieces() async throws {
        let setup = try await timedOut(window: nil)
        setup.exchange.lateReplyWindow = .milliseconds(200)
        arrive([80: "reply", 240: " to", 440: " a\n"], setup)
        setup.ask("b")
        try await setup.waitForSends(2)
        #expect(setup.unsolicited == ["reply to a"])
        setup.arrive("reply to b")
        #expect(setup.outcomes.last == .success("reply to b"))
    }

    @Test("A piece whose rest does not come holds the next request back no longer than another window")
    func cutOff() async throws {
        let setup = try await timedOut(window: .milliseconds(20))
        setup.ask("b")
        setup.stream.arrive(Data("repl".utf8))
        try await setup.waitForSends(2)
        #expect(setup.outcomes.count == 1)
    }

    @Test("The window begins anew with each step of progress")
    func progress() async throws {
        let setup = try await timedOut(window: nil)
        setup.exchange.lateReplyWindow = .milliseconds(200)
        arrive([80: "%1\n", 240: "%2\n", 400: "reply to a\n"], setup)
        setup.ask("b")
        try await setup.waitForSends(2)
        #expect(setup.unsolicited == ["%1", "%2", "reply to a"])
        #expect(setup.steps == ["sent a", "sent b"])
    }

    @Test("A waiting request ends in time, even if progress never ends")
    func endlessProgress() async throws {
        let setup = try await timedOut(window: nil)
        setup.exchange.lateReplyWindow = .milliseconds(200)
        arrive([80: "%1\n", 160: "%2\n", 240: "%3\n", 400: "%4\n"], setup)
        setup.ask("b", timeout: .milliseconds(100))
        try await setup.waitForOutcomes(2)
        #expect(setup.outcomes.last?.code == .timedOut)
        #expect(setup.stream.sent.count == 1)
    }

    @Test("Setting the window releases a request that would wait forever")
    func setting() async throws {
        let setup = try await timedOut(window: nil)
        setup.ask("b")
        setup.exchange.lateReplyWindow = .zero
        try await setup.waitForSends(2)
    }

    @Test("Bytes of a late reply that are not a message are not the next request's error")
    func garbage() async throws {
        let setup = try await timedOut(window: nil)
        setup.ask("b", timeout: .milliseconds(50))
        setup.arrive(String(repeating: "x", count: 50))
        setup.arrive("reply to a")
        try await setup.waitForOutcomes(2)
        #expect(setup.outcomes.last?.code == .timedOut)
    }

    @Test("A reply later than the window is the next request's, unless the classifier compares")
    func laterThanTheWindow() async throws {
        let setup = try await timedOut(window: .milliseconds(5))
        setup.ask("b")
        try await setup.waitForSends(2)
        setup.arrive("reply to a")
        #expect(setup.outcomes.last == .success("reply to a"))

        let stream = MemoryStream()
        let comparing = Exchange(FramedStream(stream, framing: TerminatorFraming())) { message, request in
            message.first == request?.first ? .reply : .unsolicited
        }
        comparing.lateReplyWindow = .zero
        var late: [Data] = []
        comparing.messageHandler = { message, _ in late.append(message) }
        await #expect(throws: ExchangeError.self) {
            try await comparing.exchange(Data("a".utf8), timeout: .milliseconds(5))
        }
        stream.answer = { _ in stream.arrive(Data("a, late\r\nb\r\n".utf8)) }
        #expect(try await comparing.exchange(Data("b".utf8), timeout: .seconds(30)) == Data("b".utf8))
        #expect(late == [Data("a, late".utf8)])
    }
}
