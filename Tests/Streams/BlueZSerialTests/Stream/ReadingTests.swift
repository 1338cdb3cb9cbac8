import BlueZDBus
import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension SerialPorts {
    @Suite(.virtualTime) struct ReadingTests {
        @Test(
            "What arrives comes by the way that was chosen",
            arguments: [(SerialOptions.Reading.acquired, "AcquireNotify"), (.signals, "StartNotify")])
        @BluetoothActor func way(_ reading: SerialOptions.Reading, _ call: String) async throws {
            let simulator = try await SerialSimulator()
            await simulator.perform { $0.bluez.keepsCalls = true }
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.open([.nordic], .reading(reading))
            fixture.collect(service)
            await fixture.simulator.send("hello")
            await fixture.simulator.send(" there")
            try await fixture.waitForBytes(11)
            #expect(fixture.arrived == Data("hello there".utf8))
            #expect(service.received == 11)
            let members = await fixture.simulator.perform { $0.bluez.calls.map(\.member) }
            #expect(members.filter { ["AcquireNotify", "StartNotify"].contains($0) } == [call])
        }

        @Test("If bluetoothd gives no socket, signals are used")
        @BluetoothActor func fallBack() async throws {
            let simulator = try await SerialSimulator()
            await simulator.perform {
                $0.bluez.simulateReply(
                    .error(name: "org.bluez.Error.NotSupported", message: "Operation is not supported"),
                    to: "AcquireNotify", of: "org.bluez.GattCharacteristic1")
            }
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.open()
            fixture.collect(service)
            try await service.send(pattern(30))
            try await fixture.waitForBytes(30)
            #expect(fixture.arrived == pattern(30))
        }

        @Test(
            "Notifications as long as the link takes come whole", arguments: [SerialOptions.Reading.acquired, .signals])
        @BluetoothActor func long(_ reading: SerialOptions.Reading) async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open([.nordic], .reading(reading))
            fixture.collect(service)
            await fixture.simulator.send([UInt8](pattern(1200)))
            try await fixture.waitForBytes(1200)
            #expect(fixture.arrived == pattern(1200))
            #expect(await fixture.simulator.notifications.map(\.count) == [514, 514, 172])
        }

        @Test(
            "The device has its subscription before the first byte",
            arguments: [SerialOptions.Reading.acquired, .signals])
        @BluetoothActor func subscribedFirst(_ reading: SerialOptions.Reading) async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open([.nordic], .reading(reading))
            try await service.send(Data([1]))
            let operations = await fixture.simulator.perform { $0.peripheral.log.map(\.operation) }
            let first = operations.filter { $0 == .subscribe || $0 == .write }
            #expect(first == [.subscribe, .write])
        }

        @Test("Bytes of the first moment wait for a handler", arguments: [SerialOptions.Reading.acquired, .signals])
        @BluetoothActor func early(_ reading: SerialOptions.Reading) async throws {
            let simulator = try await SerialSimulator(script: { GreetingScript() })
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.open([.nordic], .reading(reading))
            try await eventually("the greeting") { service.received == 12 }
            fixture.collect(service)
            try await fixture.waitForBytes(12)
            #expect(fixture.arrived == Data("welcome back".utf8))
        }

        @Test("A consumer that pauses gets all bytes in order when it goes on")
        @BluetoothActor func pausing() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open()
            var count = 0
            service.receiveHandler = {
                fixture.arrived += $0
                count += 1
                if count == 2 { service.receiveHandler = nil }
            }
            await fixture.simulator.perform { simulator in
                for number in 0..<10 { simulator.send([UInt8](pattern(10, from: 10 * number))) }
            }
            try await eventually("all") { service.received == 100 }
            #expect(fixture.arrived == pattern(20))
            fixture.collect(service)
            await fixture.simulator.send([UInt8](pattern(10, from: 100)))
            try await fixture.waitForBytes(110)
            #expect(fixture.arrived == pattern(110))
        }

        @Test("More bytes than may wait end the stream with an error, and those that waited can be taken")
        @BluetoothActor func overflow() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            var options = SerialOptions()
            options.inputLimit = 50
            let service = try await fixture.open([.nordic], options)
            service.endHandler = { fixture.ends.append($0) }
            await fixture.simulator.send([UInt8](pattern(50)))
            try await eventually("the bytes") { service.received == 50 }
            #expect(service.isOpen)
            await fixture.simulator.send([1])
            try await eventually("the end") { !fixture.ends.isEmpty }
            #expect(fixture.ends.first??.code == .overflow)
            #expect(fixture.ends.first??.message.contains("50 bytes") == true)
            fixture.collect(service)
            try await fixture.waitForBytes(50)
            #expect(fixture.arrived == pattern(50))
        }

        @Test("A sequence gives what waits and what comes, and ends when the port is closed")
        @BluetoothActor func sequence() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open()
            await fixture.simulator.send("one")
            try await eventually("the first piece") { service.received == 3 }
            let pieces = service.received()
            try await service.send(Data("two".utf8))
            var all = Data()
            for try await piece in pieces {
                all += piece
                if all.count == 6 { service.close() }
            }
            #expect(all == Data("onetwo".utf8))
        }

        @Test("A sequence throws why the stream ended")
        @BluetoothActor func brokenSequence() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open()
            let pieces = service.received()
            await fixture.simulator.send("one")
            let error = await fixture.failure {
                for try await _ in pieces { await fixture.simulator.disconnect() }
            }
            #expect(error?.code == .disconnected)
        }

        @Test("A sequence that was too slow ends with an error; bytes wait again for the next one")
        @BluetoothActor func slowSequence() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open()
            let slow = service.received(bufferingUpTo: 2)
            for number in 1...3 { await fixture.simulator.send([UInt8(number)]) }
            try await eventually("three") { service.received == 3 }
            await fixture.simulator.send([4])
            try await eventually("four") { service.received == 4 }
            var taken: [Data] = []
            let error = await fixture.failure {
                for try await piece in slow { taken.append(piece) }
            }
            #expect(error?.code == .overflow)
            #expect(taken == [Data([1]), Data([2])])
            var next = service.received().makeAsyncIterator()
            let last = try await next.next()
            #expect(last == Data([4]))
        }

        @Test("A sequence that was left leaves the port to whoever comes next")
        @BluetoothActor func afterSequence() async throws {
            let fixture = try await SerialFixture(SerialSimulator(.tertium))
            let service = try await fixture.open()
            for _ in 1...3 {
                await fixture.simulator.send("x")
                for try await _ in service.received() { break }
                let session = TxRxSession(service, timeouts: .quick)
                #expect(try await session.send(Data("hello".utf8)) == Data("hello".utf8))
            }
        }

        @Test("Events of a profile come besides the stream")
        @BluetoothActor func events() async throws {
            let fixture = try await SerialFixture(SerialSimulator(.tertiumZhaga))
            let service = try await fixture.open()
            fixture.collect(service)
            var events: [Data] = []
            service.eventHandler = { data, _ in events += data.map { [$0] } ?? [] }
            await fixture.simulator.perform { $0.device.sendEvent([7, 8]) }
            await fixture.simulator.send([9])
            try await eventually("both") { !events.isEmpty && !fixture.arrived.isEmpty }
            #expect(events == [Data([7, 8])])
            #expect(fixture.arrived == Data([9]))
        }
    }
}

/// Speaks first.
private final class GreetingScript: SerialScript {
    func received(_ bytes: [UInt8]) -> [[UInt8]] { [] }
    func subscribed() -> [[UInt8]] { [Array("welcome ".utf8), Array("back".utf8)] }
}
