import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension SerialPorts {
    /// A port that is closed and opened in one turn.
    @Suite(.virtualTime) struct ReopeningTests {
        @Test(
            "Each opening's end is reported once, before the next one's bytes, in every round",
            arguments: [SerialOptions.Reading.acquired, .signals])
        @BluetoothActor func roundsOfOpenings(_ reading: SerialOptions.Reading) async throws {
            let fixture = try await SerialFixture(SerialSimulator(script: { GreetingScript() }))
            let service = try await fixture.peripheral.discoverSerialService()
            var events: [String] = []
            service.receiveHandler = { events += $0.map { "\($0)" } }
            service.endHandler = { events.append($0 == nil ? "closed" : "lost") }
            try await service.open(.reading(reading))
            let rounds = Rounds.count(5)
            for round in 1...rounds {
                try await eventually("the greeting") { service.received == 2 }
                service.close()
                try await fixture.openAtOnce(service, .reading(reading))
                #expect(events.filter { $0 == "closed" }.count == round)
            }
            try await eventually("the last greeting") { service.received == 2 }
            #expect(events == (0..<rounds).flatMap { _ in ["1", "2", "closed"] } + ["1", "2"])
        }

        @Test(
            "A port that is open stays subscribed when another opening is refused",
            arguments: [SerialOptions.Reading.acquired, .signals])
        @BluetoothActor func refusal(_ reading: SerialOptions.Reading) async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open([.nordic], .reading(reading))
            fixture.collect(service)
            #expect(await fixture.failureCode { try await service.open(.reading(reading)) } == .busy)
            try await service.send(Data("echo".utf8))
            try await fixture.waitForBytes(4)
            #expect(fixture.arrived == Data("echo".utf8))
        }

        @Test("A port that is closed while it subscribes leaves the next opening subscribed")
        @BluetoothActor func closedWhileSubscribing() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.peripheral.discoverSerialService()
            try await fixture.subscribeSlowly(service)
            service.close()
            fixture.collect(service)
            try await service.open(.reading(.signals))
            try await service.send(Data("echo".utf8))
            try await fixture.waitForBytes(4)
        }

        @Test(
            "The sequence of the last opening ends and gets nothing of the next",
            arguments: [SerialOptions.Reading.acquired, .signals])
        @BluetoothActor func sequence(_ reading: SerialOptions.Reading) async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open([.nordic], .reading(reading))
            let first = service.received()
            service.close()
            let second = try await fixture.openAtOnce(service, .reading(reading)) { service.received() }
            await fixture.simulator.send("new")
            var old = Data()
            for try await piece in first { old += piece }
            #expect(old.isEmpty)
            var iterator = second.makeAsyncIterator()
            #expect(try await iterator.next() == Data("new".utf8))
        }

        @Test("An exchange without a window goes on with the next opening, in every round")
        @BluetoothActor func roundsOfExchanges() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open()
            let exchange = Exchange(FramedStream(service, framing: TerminatorFraming()))
            exchange.lateReplyWindow = nil
            for round in 0..<Rounds.count(3) {
                await fixture.simulator.perform { $0.device.script = SilentScript() }
                await #expect(throws: ExchangeError.self) {
                    try await exchange.exchange(Data("a\(round)".utf8), timeout: .milliseconds(5))
                }
                service.close()
                try await fixture.openAtOnce(service)
                await fixture.simulator.perform { $0.device.script = EchoScript() }
                let request = Data("b\(round)".utf8)
                #expect(try await exchange.exchange(request, timeout: .seconds(20)) == request)
            }
        }

        @Test("The end handler of an opening finds its counts, although the port is being opened again")
        @BluetoothActor func counts() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open()
            var counts: [[Int]] = []
            service.receiveHandler = { _ in }
            service.endHandler = { [weak service] _ in
                guard let service else { return }
                counts.append([service.handedOver, service.confirmed, service.received, service.unconfirmed.count])
            }
            for round in 1...Rounds.count(5) {
                try await service.send(pattern(5 + round))
                try await eventually("the echo") { service.received == 5 + round }
                service.close()
                try await fixture.openAtOnce(service)
                #expect(counts.last == [5 + round, 5 + round, 5 + round, 0])
                #expect(service.handedOver == 0 && service.confirmed == 0 && service.received == 0)
            }
        }

        @Test("A task that learns of its opening when the next one has begun gets an error, and sets no handler there")
        @BluetoothActor func lateTask() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.peripheral.discoverSerialService()
            var isReopened = false
            fixture.whenOpen(service) {
                service.close()
                fixture.collect(service)
                service.open { _ in isReopened = true }
            }
            let error = await fixture.failure {
                try await service.open()
                service.receiveHandler = { _ in Issue.record("These bytes are the next opening's") }
            }
            #expect(error?.code == .cancelled)
            try await eventually("the next opening") { isReopened }
            try await service.send(Data("echo".utf8))
            try await fixture.waitForBytes(4)
        }

        @Test("The end of an opening that nobody listened to is nobody's after the next one has begun")
        @BluetoothActor func unheard() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open()
            service.close()
            try await service.open()
            fixture.collect(service)
            try await service.send(pattern(5))
            try await fixture.waitForBytes(5)
            #expect(fixture.ends.isEmpty)
            service.close()
            try await eventually("the end") { fixture.ends.count == 1 }
        }
    }
}

extension SerialFixture {
    /// Does something as soon as the port is open, before a task that waits for that continues.
    fileprivate func whenOpen(_ service: SerialService, _ body: @escaping @BluetoothActor () -> Void) {
        BluetoothActor.perform { [self] in
            if service.isOpen { body() } else { whenOpen(service, body) }
        }
    }

    /// Opens the port, and does something in the same turn.
    @discardableResult
    fileprivate func openAtOnce<Value>(
        _ service: SerialService, _ options: SerialOptions = SerialOptions(),
        _ body: @BluetoothActor () -> Value = {}
    ) async throws -> Value {
        var result: BluetoothError??
        service.open(options) { result = .some($0) }
        let value = body()
        try await eventually("the opening") { result != nil }
        if let error = result ?? nil { throw error }
        return value
    }
}

/// Sends two bytes when somebody subscribes.
private final class GreetingScript: SerialScript {
    func received(_ bytes: [UInt8]) -> [[UInt8]] { [] }
    func subscribed() -> [[UInt8]] { [[1], [2]] }
}

extension SerialFixture {
    /// Begins to open a port with signals, and waits until the device gets the subscription, which takes its time.
    fileprivate func subscribeSlowly(_ service: SerialService) async throws {
        let uuid = service.profile.notify
        let delay = Duration.milliseconds(100).stretched
        await simulator.perform { $0.peripheral.characteristic(uuid)?.faults.delay = delay }
        // It ends with the closing, unless the machine is too slow.
        service.open(.reading(.signals)) { _ in }
        try await eventually("the subscription") { await simulator.operations(uuid).contains(.subscribe) }
    }
}
