import BlueZSerial
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

@Suite("Exchanges", .virtualTime) @BluetoothActor struct ExchangeTests {
    typealias Outcome = Result<String, ExchangeError>

    /// An exchange of lines, and what came of it.
    @BluetoothActor final class Setup {
        let stream = MemoryStream()
        let exchange: Exchange<Data>
        var outcomes: [Outcome] = []
        var unsolicited: [String] = []
        var steps: [String] = []

        init(_ mode: ExchangeMode = .masterSlave, lateReplyWindow: Duration? = .seconds(30)) {
            let framed = FramedStream(stream, framing: TerminatorFraming(Data("\n".utf8), maximumLength: 40))
            exchange = Exchange(framed, mode: mode) { message, _ in
                switch message.first {
                case UInt8(ascii: "%"): .progress
                case UInt8(ascii: "!"): .unsolicited
                default: .reply
                }
            }
            exchange.lateReplyWindow = lateReplyWindow
            exchange.messageHandler = { [unowned self] message, _ in
                unsolicited.append(String(decoding: message, as: UTF8.self))
            }
        }

        func ask(_ text: String, timeout: Duration = .seconds(30)) {
            exchange.exchange(Data(text.utf8), timeout: timeout) { [self] in
                steps.append("sent \(text)")
            } progress: { [self] message in
                steps.append(String(decoding: message, as: UTF8.self))
            } completion: { [self] reply, error in
                outcomes.append(
                    error.map { .failure($0) } ?? .success(String(decoding: reply ?? Data(), as: UTF8.self)))
            }
        }

        func arrive(_ text: String) { stream.arrive(Data("\(text)\n".utf8)) }

        func waitForSends(_ count: Int) async throws {
            try await eventually("\(count) sends", until: { self.stream.sent.count == count })
        }

        func waitForOutcomes(_ count: Int) async throws {
            try await eventually("\(count) outcomes", until: { self.outcomes.count == count })
        }
    }

    // MARK: Replies

    @Test("A request is sent, its progress reported, and its reply delivered, once and in this order")
    func reply() async throws {
        let setup = Setup()
        #expect(setup.exchange.refusal == nil)
        setup.ask("a")
        #expect(setup.exchange.isExchanging)
        try await setup.waitForSends(1)
        setup.arrive("%1")
        setup.arrive("%2")
        #expect(setup.outcomes.isEmpty)
        setup.arrive("b")
        setup.arrive("c")
        #expect(setup.steps == ["sent a", "%1", "%2"])
        #expect(setup.outcomes == [.success("b")])
        #expect(setup.unsolicited == ["c"])
        #expect(!setup.exchange.isExchanging)
        #expect(setup.stream.lastSend?.isConfirmedByReply == true)
    }

    @Test("A reply that overtakes the confirmation of the request proves it")
    func replyBeforeConfirmation() async throws {
        let setup = Setup()
        setup.stream.holdsSends = true
        setup.ask("a")
        try await setup.waitForSends(1)
        #expect(setup.steps.isEmpty)
        setup.arrive("b")
        #expect(setup.steps == ["sent a"])
        setup.stream.confirmSends()
        #expect(setup.steps == ["sent a"])
        #expect(setup.outcomes == [.success("b")])
    }

    @Test("What the classifier takes for unsolicited goes to its own handler, even during an exchange")
    func unsolicited() async throws {
        let setup = Setup()
        setup.arrive("early")
        try await eventually("the early message", until: { setup.unsolicited.count == 1 })
        setup.ask("a")
        try await setup.waitForSends(1)
        setup.arrive("!news")
        setup.arrive("b")
        #expect(setup.unsolicited == ["early", "!news"])
        #expect(setup.outcomes == [.success("b")])
    }

    @Test("Without a classifier each message is a reply, and it may compare with the request")
    func classifiers() async throws {
        let stream = MemoryStream()
        let plain = Exchange(FramedStream(stream, framing: TerminatorFraming()))
        stream.answer = { _ in stream.arrive(Data("%1\r\n".utf8)) }
        #expect(try await plain.exchange(Data("a".utf8), timeout: .seconds(30)) == Data("%1".utf8))
        let other = MemoryStream()
        let comparing = Exchange(FramedStream(other, framing: TerminatorFraming())) { message, request in
            message.first == request?.first ? .reply : .unsolicited
        }
        other.answer = { _ in other.arrive(Data("ax\r\nby\r\n".utf8)) }
        #expect(try await comparing.exchange(Data("b".utf8), timeout: .seconds(30)) == Data("by".utf8))
    }

    // MARK: One at a time

    @Test("A second request is refused at once while the first has not ended")
    func oneAtATime() async throws {
        let setup = Setup()
        setup.ask("a")
        #expect(setup.exchange.refusal == .notFinished)
        setup.ask("b")
        #expect(setup.outcomes.isEmpty)
        try await setup.waitForOutcomes(1)
        #expect(setup.outcomes == [.failure(.refused(.notFinished))])
        setup.arrive("reply")
        try await setup.waitForOutcomes(2)
        #expect(setup.outcomes.last == .success("reply"))
        #expect(setup.stream.sent == [Data("a\n".utf8)])
    }

    @Test("Requests are refused when the stream was closed, and when the device is gone")
    func refusals() async throws {
        let closed = Setup()
        closed.exchange.close()
        #expect(closed.exchange.refusal == .notOpened)
        closed.ask("a")
        try await closed.waitForOutcomes(1)
        #expect(closed.outcomes == [.failure(.refused(.notOpened))])
        #expect(closed.exchange.cancel() == .notOpened)
        let gone = Setup()
        gone.stream.end()
        gone.ask("a")
        try await gone.waitForOutcomes(1)
        #expect(gone.outcomes == [.failure(.refused(.noDevice))])
    }

    // MARK: Time-outs

    @Test("A request without a reply times out, once")
    func timeout() async throws {
        let setup = Setup()
        setup.ask("a", timeout: .milliseconds(5))
        try await setup.waitForOutcomes(1)
        #expect(setup.outcomes.map(\.code) == [.timedOut])
        setup.arrive("late")
        #expect(setup.outcomes.count == 1)
        #expect(setup.unsolicited == ["late"])
    }

    @Test("A late reply is never taken for the next request's: that is sent after it has come")
    func lateReply() async throws {
        let setup = Setup()
        setup.ask("a", timeout: .milliseconds(5))
        try await setup.waitForOutcomes(1)
        setup.ask("b")
        setup.arrive("!news")
        #expect(setup.stream.sent.count == 1)
        setup.arrive("reply to a")
        try await setup.waitForSends(2)
        setup.arrive("reply to b")
        #expect(setup.unsolicited == ["!news", "reply to a"])
        #expect(setup.outcomes.last == .success("reply to b"))
    }

    @Test("A reply that never comes holds the next request back for the window only")
    func lateReplyWindow() async throws {
        let setup = Setup(lateReplyWindow: .milliseconds(20))
        setup.ask("a", timeout: .milliseconds(5))
        try await setup.waitForOutcomes(1)
        setup.ask("b")
        try await setup.waitForSends(2)
        setup.arrive("reply to b")
        #expect(setup.outcomes.last == .success("reply to b"))
    }

    @Test("Bytes that are not a message do not end the exchange; without a reply in time they are its error")
    func framingErrors() async throws {
        let setup = Setup(lateReplyWindow: .zero)
        var errors: [FramingError.Reason] = []
        setup.exchange.framingErrorHandler = { errors.append($0.reason) }
        setup.ask("a")
        try await setup.waitForSends(1)
        setup.arrive(String(repeating: "x", count: 50))
        setup.arrive("b")
        #expect(setup.outcomes == [.success("b")])
        setup.ask("c", timeout: Duration.milliseconds(200).stretched)
        try await setup.waitForSends(2)
        setup.arrive(String(repeating: "x", count: 50))
        try await setup.waitForOutcomes(2)
        #expect(setup.outcomes.last?.code == .outOfMemory)
        #expect(errors == [.tooLong, .tooLong])
    }

    @Test(
        "Each framing error has its code",
        arguments: [
            ([0x55], .byteFormat), ([0x02, 0, 0, 0xFF, 0xFF], .frameFormat), ([0x02, 0, 0, 0, 0, 0, 0], .decodeFailed),
            ([0x02, 0, 0], .frameFormat),
        ] as [([UInt8], ExchangeErrorCode)])
    func framingCodes(bytes: [UInt8], code: ExchangeErrorCode) async throws {
        let stream = MemoryStream()
        let framing = CardReaderFraming(idleGap: .milliseconds(5))
        let exchange = Exchange(FramedStream(stream, framing: framing))
        stream.answer = { _ in stream.arrive(Data(bytes)) }
        let error = await #expect(throws: ExchangeError.self) {
            try await exchange.exchange(
                CardReaderFrame(command: 1, subcommand: 0), timeout: Duration.milliseconds(100).stretched)
        }
        #expect(error?.code == code)
    }

    // MARK: Other ends

    @Test("A write that fails is an error of writing, a lost link one of the link, anything else one of reading")
    func failures() async throws {
        let unwritable = Setup()
        unwritable.stream.sendError = BluetoothError(.att, "no")
        unwritable.ask("a")
        try await unwritable.waitForOutcomes(1)
        #expect(unwritable.outcomes.map(\.code) == [.write])
        let lost = Setup()
        lost.ask("a")
        try await lost.waitForSends(1)
        var ends: [BluetoothError?] = []
        lost.exchange.endHandler = { ends.append($0) }
        lost.stream.end()
        #expect(lost.outcomes.map(\.code) == [.disconnected])
        #expect(ends.map { $0?.code } == [.disconnected])
        let unreadable = Setup()
        unreadable.ask("a")
        try await unreadable.waitForSends(1)
        unreadable.stream.end(BluetoothError(.overflow, "too much"))
        #expect(unreadable.outcomes.map(\.code) == [.read])
        let unknown = Setup()
        unknown.ask("a")
        try await unknown.waitForSends(1)
        unknown.stream.end(BluetoothError(.failed, "nobody knows"))
        #expect(unknown.outcomes.map(\.code) == [.unknown])
        let tooLong = Setup()
        tooLong.ask(String(repeating: "x", count: 41))
        try await tooLong.waitForOutcomes(1)
        #expect(tooLong.outcomes.map(\.code) == [.byteFormat])
    }

    @Test("An exchange that is dropped ends its request, once")
    func dropped() async throws {
        let stream = MemoryStream()
        var exchange: Exchange<Data>? = Exchange(FramedStream(stream, framing: TerminatorFraming()))
        var errors: [ExchangeError?] = []
        exchange?.exchange(Data("a".utf8), timeout: .seconds(30)) { errors.append($1) }
        try await eventually("the send", until: { stream.sent.count == 1 })
        exchange = nil
        try await eventually("the end", until: { !errors.isEmpty })
        #expect(errors.map { $0?.code } == [.cancelSucceeded])
    }

    // MARK: Cancelling

    @Test("Cancelling is accepted once, and its result is the error of the exchange")
    func cancelling() async throws {
        let setup = Setup()
        #expect(setup.exchange.cancel() == .nothingToCancel)
        setup.ask("a")
        try await setup.waitForSends(1)
        #expect(setup.exchange.cancel() == .accepted)
        #expect(setup.exchange.cancel() == .alreadyCancelling)
        setup.arrive("reply to a")
        #expect(setup.outcomes.isEmpty)
        try await setup.waitForOutcomes(1)
        #expect(setup.outcomes.map(\.code) == [.cancelSucceeded])
        #expect(setup.unsolicited == ["reply to a"])
        #expect(setup.exchange.cancel() == .nothingToCancel)
        setup.ask("b")
        try await setup.waitForSends(2)
    }

    @Test("A reply that comes after cancelling is not the next request's")
    func replyAfterCancelling() async throws {
        let setup = Setup()
        setup.ask("a")
        try await setup.waitForSends(1)
        setup.exchange.cancel()
        try await setup.waitForOutcomes(1)
        setup.ask("b")
        setup.arrive("reply to a")
        try await setup.waitForSends(2)
        setup.arrive("reply to b")
        #expect(setup.unsolicited == ["reply to a"])
        #expect(setup.outcomes.last == .success("reply to b"))
    }

    @Test("The device is informed if the protocol has a message for it")
    func cancelMessage() async throws {
        let setup = Setup(lateReplyWindow: .zero)
        setup.exchange.cancelMessage = Data("stop".utf8)
        setup.ask("a")
        try await setup.waitForSends(1)
        setup.exchange.cancel()
        try await setup.waitForOutcomes(1)
        #expect(setup.stream.sent.last == Data("stop\n".utf8))
        #expect(setup.outcomes.map(\.code) == [.cancelSucceeded])
        setup.ask("b")
        try await setup.waitForSends(3)
        setup.stream.sendError = BluetoothError(.att, "no")
        setup.exchange.cancel()
        try await setup.waitForOutcomes(2)
        #expect(setup.outcomes.map(\.code) == [.cancelSucceeded, .cancelFailed])
    }

    @Test("A request that is cancelled before it was sent is taken back, and no late reply awaited")
    func cancelledBeforeSending() async throws {
        let setup = Setup()
        setup.stream.holdsHandingOver = true
        setup.ask("a")
        setup.exchange.cancel()
        try await setup.waitForOutcomes(1)
        #expect(setup.outcomes.map(\.code) == [.cancelSucceeded])
        setup.stream.holdsHandingOver = false
        setup.ask("b")
        try await setup.waitForSends(1)
        #expect(setup.stream.sent == [Data("b\n".utf8)])
    }

    @Test("The cancellation of the task cancels the exchange")
    func cancelledTask() async throws {
        let setup = Setup()
        let exchange = setup.exchange
        let task = Task { @BluetoothActor in try await exchange.exchange(Data("a".utf8), timeout: .seconds(30)) }
        try await setup.waitForSends(1)
        task.cancel()
        let error = await #expect(throws: ExchangeError.self) { try await task.value }
        #expect(error?.code == .cancelSucceeded)
    }

    // MARK: Duplex and messages without reply

    @Test("In duplex mode messages are sent without waiting, and all that arrives goes to the handler")
    func duplex() async throws {
        let setup = Setup(.duplex)
        var kinds: [ExchangeMessageKind] = []
        setup.exchange.messageHandler = { kinds.append($1) }
        try await setup.exchange.send(Data("a".utf8))
        try await setup.exchange.send(Data("b".utf8))
        setup.arrive("x")
        setup.arrive("%y")
        #expect(setup.stream.sent.count == 2)
        #expect(kinds == [.reply, .progress])
        setup.ask("c")
        try await setup.waitForOutcomes(1)
        #expect(setup.outcomes.map(\.code) == [.exchangeState])
    }

    @Test("In master-slave mode a message without reply is refused during an exchange")
    func sendDuringExchange() async throws {
        let setup = Setup()
        setup.ask("a")
        await #expect(throws: ExchangeError.refused(.notFinished)) {
            try await setup.exchange.send(Data("b".utf8))
        }
        #expect(setup.stream.sent.count == 1)
    }
}

extension Result where Success == String, Failure == ExchangeError {
    var code: ExchangeErrorCode? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}
