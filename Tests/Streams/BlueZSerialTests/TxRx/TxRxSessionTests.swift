import BlueZDBus
import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension SerialPorts {
    @Suite(.virtualTime) struct TxRxSessionTests {
        nonisolated static let longCommand = String(repeating: "A", count: 700)
        nonisolated static let answers = [
            "AT\r\n": ["O", "K\r\n"], "LONG\r\n": [String(repeating: "x", count: 900)],
            longCommand + "\r\n": ["OK\r\n"],
        ]

        private func simulator(_ profile: SerialProfile = .tertium) async throws -> SerialSimulator {
            try await SerialSimulator(profile, script: { ResponseScript.responding(Self.answers) })
        }

        @Test("A command gets the terminator; its reply comes whole, with the device's own terminator")
        @BluetoothActor func commandAndReply() async throws {
            let fixture = try await TxRxFixture(simulator())
            let device = try await fixture.ready()
            let reply = try await device.send(Data("AT".utf8))
            #expect(reply == Data("OK\r\n".utf8))
            #expect(fixture.names == ["connected", "ready", "sent", "received"])
            #expect(fixture.events.compactMap(\.data) == [Data("AT\r\n".utf8), Data("OK\r\n".utf8)])
            #expect(await fixture.simulator.writes == [Array("AT\r\n".utf8)])
        }

        @Test("A command of many fragments is reported as sent once, whole, after the last one's confirmation")
        @BluetoothActor func sentOnce() async throws {
            let fixture = try await TxRxFixture(simulator())
            let device = try await fixture.ready()
            _ = try await device.send(Data(Self.longCommand.utf8))
            #expect(await fixture.simulator.writes.map(\.count) == [240, 240, 222])
            #expect(fixture.names == ["connected", "ready", "sent", "received"])
            #expect(fixture.events.compactMap(\.data).first == Data((Self.longCommand + "\r\n").utf8))
        }

        @Test("A reply over many notifications comes as one, and so does one that comes slowly")
        @BluetoothActor func longReply() async throws {
            let simulator = try await simulator()
            await simulator.perform {
                $0.device.cutting = .length(100)
                $0.device.interval = .milliseconds(10)
                $0.device.delay = .milliseconds(80)
            }
            let fixture = try await TxRxFixture(simulator)
            let device = try await fixture.ready()
            #expect(try await device.send(Data("LONG".utf8)).count == 900)
            #expect(await fixture.simulator.notifications.count == 9)
            #expect(fixture.names.filter { $0 == "received" }.count == 1)
        }

        @Test("A pause longer than the timeout for the next fragment ends a reply; the rest is unsolicited")
        @BluetoothActor func nextFragment() async throws {
            let simulator = try await simulator()
            await simulator.perform { $0.device.script = ResponseScript.responding(["AT\r\n": ["O"]]) }
            let fixture = try await TxRxFixture(simulator, .with { $0.nextFragment = .milliseconds(30) })
            let device = try await fixture.ready()
            #expect(try await device.send(Data("AT".utf8)) == Data("O".utf8))
            await simulator.send("K\r\n")
            try await fixture.event("the rest") { $0.data == Data("K\r\n".utf8) }
        }

        @Test("Without a reply in time there is an error, and the next command may be sent")
        @BluetoothActor func noReply() async throws {
            // Long enough for the sending.
            let limit = Duration.milliseconds(100).stretched
            let fixture = try await TxRxFixture(simulator(), .with { $0.firstFragment = limit })
            let device = try await fixture.ready()
            let error = await fixture.failure { try await device.send(Data("NONE".utf8)) }
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("No reply") == true)
            #expect(fixture.names.suffix(2) == ["sent", "receiveFailed"])
            fixture.txRx.timeouts.firstFragment = .seconds(10)
            #expect(try await device.send(Data("AT".utf8)) == Data("OK\r\n".utf8))
        }

        @Test("A reply after its time is an event of its own, and not the reply to the command after it has come")
        @BluetoothActor func late() async throws {
            let simulator = try await simulator()
            // Long enough for the sending.
            let limit = Duration.milliseconds(100).stretched
            let fixture = try await TxRxFixture(simulator, .with { $0.firstFragment = limit })
            let device = try await fixture.ready()
            #expect(await fixture.failure { try await device.send(Data("NONE".utf8)) }?.code == .timedOut)
            await simulator.send("OK\r\n")
            try await fixture.event("the late reply") { $0.data == Data("OK\r\n".utf8) }
            #expect(fixture.names.suffix(3) == ["sent", "receiveFailed", "received"])
            fixture.txRx.timeouts.firstFragment = .seconds(10)
            #expect(try await device.send(Data("LONG".utf8)).count == 900)
        }

        @Test("A late reply that meets the next command is taken for its reply, as in TxRxLibrary")
        @BluetoothActor func lateMeetsNext() async throws {
            let stream = MemoryStream()
            let session = TxRxSession(stream, timeouts: .with { $0.firstFragment = .milliseconds(20) })
            await #expect(throws: BluetoothError.self) { try await session.send(Data("a".utf8)) }
            session.timeouts = .quick
            stream.answer = { _ in stream.arrive(Data("reply to a".utf8)) }
            #expect(try await session.send(Data("b".utf8)) == Data("reply to a".utf8))
        }

        @Test("The time for the reply begins with the sending of the last fragment, not with its confirmation")
        @BluetoothActor func firstFragmentTimer() async throws {
            let simulator = try await simulator()
            let delay = Duration.milliseconds(500).stretched
            await simulator.delayWrites(delay)
            let fixture = try await TxRxFixture(simulator, .with { $0.firstFragment = .milliseconds(100) })
            let device = try await fixture.ready()
            let start = MonotonicInstant.now
            var end = start
            fixture.txRx.eventHandler = { event in
                fixture.events.append(event)
                if case .receiveFailed = event { end = .now }
            }
            // Three fragments of 240 bytes: the last one is sent after two delays and confirmed after three.
            let error = await fixture.failure { try await device.send(pattern(700)) }
            #expect(error?.message.contains("No reply") == true)
            #expect(end - start >= delay * 2 + .milliseconds(100))
            // What became of the sending is reported nevertheless.
            #expect(fixture.names == ["connected", "ready", "receiveFailed", "sent"])
        }

        @Test("A fragment that is not confirmed in time is reported, and nothing of the command follows")
        @BluetoothActor func writeTimer() async throws {
            let simulator = try await simulator()
            let fixture = try await TxRxFixture(simulator, .with { $0.write = Duration.milliseconds(600).stretched })
            let device = try await fixture.ready()
            await simulator.delayWrites(Duration.milliseconds(200).stretched)
            // Each fragment in time, all four of them not.
            _ = try? await fixture.withFirstFragment(.milliseconds(10)) { try await device.send(pattern(900)) }
            #expect(!fixture.names.contains("sendTimedOut"))
            await simulator.delayWrites(Duration.milliseconds(500).stretched)
            fixture.txRx.timeouts.write = .milliseconds(100)
            let error = await fixture.failure { try await device.send(pattern(700)) }
            #expect(error?.code == .timedOut)
            #expect(fixture.names.last == "sendTimedOut")
            await simulator.delayWrites(.zero)
            fixture.txRx.timeouts.write = .seconds(10)
            let count = await simulator.device.receivedCount
            #expect(try await device.send(Data("AT".utf8)) == Data("OK\r\n".utf8))
            #expect(await simulator.device.receivedCount == count + 4)
        }

        @Test("When the reply is due before the command is confirmed, both ends are reported, then the completion runs")
        @BluetoothActor func missedReply() async throws {
            let stream = MemoryStream()
            stream.holdsSends = true
            let session = TxRxSession(stream, timeouts: .with { $0.firstFragment = .milliseconds(20) })
            var events: [TxRxSession.Event] = []
            session.eventHandler = { events.append($0) }
            var codes: [BluetoothError.Code?] = []
            session.send(Data("a".utf8)) { codes.append($1?.code) }
            try await eventually("the time") { events.count == 1 }
            #expect(codes.isEmpty && session.isBusy)
            // No reply any longer.
            stream.arrive(Data("late".utf8))
            try await eventually("the bytes") { events.last == .unsolicited(Data("late".utf8)) }
            stream.confirmSends()
            #expect(codes == [.timedOut])
            #expect(events.count == 3 && events.last == .sent(Data("a".utf8)))
            #expect(!session.isBusy)
        }

        @Test("A reply that is complete before the command is confirmed is reported after it")
        @BluetoothActor func earlyReply() async throws {
            let stream = MemoryStream()
            stream.holdsSends = true
            stream.answer = { _ in stream.arrive(Data("early".utf8)) }
            let session = TxRxSession(stream, timeouts: .quick)
            session.replyEnd = { received, _ in received.count == 5 ? 5 : nil }
            var events: [TxRxSession.Event] = []
            session.eventHandler = { events.append($0) }
            var replies: [Data?] = []
            session.send(Data("a".utf8)) { reply, _ in replies.append(reply) }
            try await eventually("the reply") { stream.sent.count == 1 }
            #expect(events.isEmpty && replies.isEmpty)
            stream.confirmSends()
            #expect(events == [.sent(Data("a".utf8)), .received(Data("early".utf8))])
            #expect(replies == [Data("early".utf8)])
        }

        @Test("What a device sends by itself is joined and reported")
        @BluetoothActor func unsolicited() async throws {
            let fixture = try await TxRxFixture(simulator())
            let device = try await fixture.ready()
            await fixture.simulator.perform {
                $0.send("tick ")
                $0.send("tock")
            }
            try await fixture.event("the message") { $0.data == Data("tick tock".utf8) }
            #expect(fixture.names.filter { $0 == "received" }.count == 1)
            #expect(device.isReady)
        }

        @Test("What came before a command was sent is no part of its reply")
        @BluetoothActor func before() async throws {
            let fixture = try await TxRxFixture(simulator(), .with { $0.nextFragment = .milliseconds(300) })
            let device = try await fixture.ready()
            await fixture.simulator.send("tick")
            try await eventually("the bytes") { device.service?.received == 4 }
            #expect(try await device.send(Data("AT".utf8)) == Data("OK\r\n".utf8))
            #expect(fixture.events.compactMap(\.data).first == Data("tick".utf8))
        }

        @Test("A second command is refused while one is sent, and while its reply is waited for")
        @BluetoothActor func busy() async throws {
            let stream = MemoryStream()
            stream.holdsSends = true
            let session = TxRxSession(stream, timeouts: .quick)
            var events: [TxRxSession.Event] = []
            session.eventHandler = { events.append($0) }
            let first = Task { @BluetoothActor in try await session.send(Data("a".utf8)) }
            try await eventually("the sending") { stream.sent.count == 1 }
            let sending = await #expect(throws: BluetoothError.self) { try await session.send(Data("b".utf8)) }
            #expect(sending?.code == .sendInProgress)
            stream.confirmSends()
            let waiting = await #expect(throws: BluetoothError.self) { try await session.send(Data("b".utf8)) }
            #expect(waiting?.code == .waitingForReply)
            stream.arrive(Data("reply".utf8))
            #expect(try await first.value == Data("reply".utf8))
            #expect(events.filter { if case .sendFailed = $0 { true } else { false } }.count == 2)
            #expect(stream.sent == [Data("a".utf8)])
        }

        @Test("Empty data, and data for a device that is not connected, are refused")
        @BluetoothActor func refused() async throws {
            let fixture = try await TxRxFixture(simulator())
            let device = try #require(try await fixture.scan().first)
            #expect(await fixture.failure { try await device.send(Data("AT".utf8)) }?.code == .notConnected)
            try await device.connect()
            #expect(await fixture.failure { try await device.send(Data()) }?.code == .emptyData)
            #expect(fixture.names == ["sendFailed", "connected", "ready", "sendFailed"])
        }

        @Test("A device that refuses a command is a send error")
        @BluetoothActor func sendError() async throws {
            let simulator = try await simulator()
            await simulator.refuseWrites(ATTError(rawValue: 0x80))
            let fixture = try await TxRxFixture(simulator)
            let device = try await fixture.ready()
            let error = await fixture.failure { try await device.send(Data("AT".utf8)) }
            #expect(error?.attError?.rawValue == 0x80)
            #expect(fixture.names.last == "sendFailed")
            #expect(device.isReady)
        }

        @Test("When the link ends within a reply, the error says how much of it had come")
        @BluetoothActor func cutReply() async throws {
            let fixture = try await TxRxFixture(simulator(), .with { $0.nextFragment = .seconds(20) })
            let device = try await fixture.ready()
            let sending = Task { @BluetoothActor in try await device.send(Data("AT".utf8)) }
            try await eventually("the reply") { device.service?.received == 4 }
            try await fixture.event("the confirmation") { $0.name == "sent" }
            await fixture.simulator.disconnect()
            let error = await fixture.failure { try await sending.value }
            #expect(error?.code == .disconnected)
            #expect(error?.message.contains("4 bytes of a reply") == true)
            try await fixture.event("the end") { $0.name == "disconnected" }
            #expect(fixture.names.suffix(2) == ["receiveFailed", "disconnected"])
        }

        @Test("A cancelled task does not wait for the reply, which is reported as unsolicited")
        @BluetoothActor func cancelled() async throws {
            let simulator = try await SerialSimulator(.tertium, script: { SilentScript() })
            let fixture = try await TxRxFixture(simulator)
            let device = try await fixture.ready()
            let sending = Task { @BluetoothActor in try await device.send(Data("AT".utf8)) }
            try await fixture.event("the confirmation") { $0.name == "sent" }
            sending.cancel()
            #expect(await fixture.failure { try await sending.value }?.code == .cancelled)
            #expect(device.session?.isBusy == false)
            await simulator.send("OK\r\n")
            try await fixture.event("the reply") { $0.name == "received" }
        }

        /// A session whose replies end with "!".
        @BluetoothActor private func marked(_ stream: MemoryStream, within limit: Duration) -> TxRxSession {
            let session = TxRxSession(
                stream, timeouts: .with { ($0.firstFragment, $0.nextFragment) = (limit, .milliseconds(10)) })
            session.replyEnd = { received, _ in received.firstIndex(of: UInt8(ascii: "!")).map { $0 + 1 } }
            return session
        }

        @Test("A task that is cancelled when its reply has come does not end the command after it")
        @BluetoothActor func cancelledLate() async throws {
            let stream = MemoryStream()
            let session = marked(stream, within: .seconds(60))
            stream.answer = { _ in stream.arrive(Data("one!".utf8)) }
            let first = Task { @BluetoothActor in try await session.send(Data("a".utf8)) }
            var ends: [String] = []
            session.eventHandler = { event in
                guard event == .received(Data("one!".utf8)) else { return }
                session.eventHandler = nil
                stream.answer = { _ in }
                first.cancel()
                session.send(Data("b".utf8)) { reply, error in
                    ends.append(reply.map { String(decoding: $0, as: UTF8.self) } ?? "\(error?.code as Any)")
                }
            }
            #expect(try await first.value == Data("one!".utf8))
            for _ in 0..<5 { await Task.yield() }
            stream.arrive(Data("two!".utf8))
            try await eventually("the second reply") { !ends.isEmpty }
            #expect(ends == ["two!"])
        }

        @Test("Where a reply ends, the program may say: pauses do not end it then, and the rest is unsolicited")
        @BluetoothActor func replyEnd() async throws {
            let stream = MemoryStream()
            let session = marked(stream, within: .seconds(60))
            var events: [TxRxSession.Event] = []
            session.eventHandler = { events.append($0) }
            stream.arrive(Data("before".utf8))
            stream.answer = { _ in
                stream.arrive(Data("one ".utf8))
                _ = BluetoothActor.after(.milliseconds(50)) { stream.arrive(Data("two!three".utf8)) }
            }
            #expect(try await session.send(Data("a".utf8)) == Data("one two!".utf8))
            try await eventually("the rest") { events.last == .unsolicited(Data("three".utf8)) }
            #expect(events.contains(.unsolicited(Data("before".utf8))))
            #expect(events.contains(.received(Data("one two!".utf8))))
        }

        @Test("A reply that does not end in time is an error that says so, and what has come of it is unsolicited")
        @BluetoothActor func endlessReply() async throws {
            let stream = MemoryStream()
            let session = marked(stream, within: Duration.milliseconds(300).stretched)
            var events: [TxRxSession.Event] = []
            session.eventHandler = { events.append($0) }
            stream.answer = { _ in stream.arrive(Data("one".utf8)) }
            let error = await #expect(throws: BluetoothError.self) { try await session.send(Data("a".utf8)) }
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("did not end within") == true)
            #expect(error?.message.hasSuffix("; 3 bytes of it had come") == true)
            try await eventually("the bytes") { events.last == .unsolicited(Data("one".utf8)) }
            session.timeouts.firstFragment = .seconds(60)
            stream.answer = { _ in stream.arrive(Data("two!".utf8)) }
            #expect(try await session.send(Data("b".utf8)) == Data("two!".utf8))
        }

        @Test("With write commands, a reply confirms the command")
        @BluetoothActor func confirms() async throws {
            let simulator = try await simulator()
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.open([.tertium], .writing(.acquired))
            let session = TxRxSession(service, terminator: "\r\n", timeouts: .quick)
            #expect(try await session.send(Data("AT".utf8)) == Data("OK\r\n".utf8))
            #expect(service.unconfirmed.isEmpty && service.confirmed == 4)
        }
    }
}

extension TxRxFixture {
    /// Runs `body` with another timeout for the first fragment.
    func withFirstFragment<R>(_ limit: Duration, _ body: @BluetoothActor () async throws -> R) async throws -> R {
        let before = txRx.timeouts
        txRx.timeouts.firstFragment = limit
        defer { txRx.timeouts = before }
        return try await body()
    }
}
