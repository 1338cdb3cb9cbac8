import BlueZAccessories
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension AccessoryPorts {
    @Suite(.virtualTime) struct StreamEndTests {
        @Test("The input's handler hears of its opening, of bytes, and of the end behind the last of them")
        @BluetoothActor func inputEvents() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session(Name.port)
            let input = session.input
            var events: [AccessoryStreamEvent] = []
            input.eventHandler = { events.append($0) }
            try await eventually("the opening") { events == [.openCompleted] }
            try await session.output.write(Data("abcdef".utf8))
            try await eventually("bytes") { events.count == 2 && input.hasBytesAvailable }
            #expect(input.takeBytes(4) == Data("abcd".utf8))
            try await eventually("more bytes") { events.count == 3 }
            await simulator.perform { $0.classic.simulateDisconnection() }
            try await eventually("the session's end") { !session.isOpen }
            #expect(input.status == .open)
            #expect(input.takeBytes() == Data("ef".utf8))
            try await eventually("the end") { events.count == 4 }
            #expect(events == [.openCompleted, .hasBytesAvailable, .hasBytesAvailable, .endEncountered])
            #expect(input.status == .atEnd && input.takeBytes().isEmpty)
        }

        @Test("The output's handler hears of its opening, of space, again after writing, and of the end")
        @BluetoothActor func outputEvents() async throws {
            let simulator = try await AccessorySimulator()
            await simulator.perform { $0.classic.channelHandler = nil }
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session(Name.port)
            let output = session.output
            var events: [AccessoryStreamEvent] = []
            output.eventHandler = { events.append($0) }
            try await eventually("space") { events == [.openCompleted, .hasSpaceAvailable] }
            try await output.write(Data([1]))
            try await eventually("space again") { events.count == 3 }
            output.write(pattern(4 << 20)) { _ in }
            #expect(!output.hasSpaceAvailable)
            // Without space writing is allowed.
            var isSent = false
            output.write(Data([2])) { isSent = $0 == nil }
            await simulator.perform { $0.classic.channels.last?.receiveHandler = { _ in } }
            try await eventually("all of it, and space") { isSent && events.count == 4 }
            await simulator.perform { $0.classic.simulateDisconnection() }
            try await eventually("the end") { events.last == .endEncountered }
            #expect(events.count == 5 && output.status == .atEnd && !output.hasSpaceAvailable)
        }

        @Test("Closing the session is an event of both ends, and what was not taken is dropped")
        @BluetoothActor func closed() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            var events: [String: AccessoryStreamEvent] = [:]
            session.input.eventHandler = { events["input"] = $0 }
            session.output.eventHandler = { events["output"] = $0 }
            try await session.output.write(Data([1, 2, 3]))
            try await eventually("bytes") { events["input"] == .hasBytesAvailable }
            session.close()
            #expect(events == ["input": .closed, "output": .closed])
            #expect(session.input.takeBytes().isEmpty && session.input.status == .closed)
            #expect(try await session.input.read() == nil)
        }

        @Test("Another error than the accessory's end is an event of its own")
        @BluetoothActor func error() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session()
            var events: [AccessoryStreamEvent] = []
            session.output.eventHandler = { events.append($0) }
            try await eventually("the opening") { !events.isEmpty }
            // Nobody takes what arrives: 64 KiB are kept, then 1 MiB in the stream below. It is sent until that is full,
            // because bluetoothd drops what a busy machine does not take in time.
            let part = [UInt8](pattern(8192))
            for _ in 0..<1000 where session.isOpen {
                await simulator.perform { $0.uart.send(part) }
                try await BluetoothActor.sleep(for: .milliseconds(1))
            }
            try await eventually("the end") { !session.isOpen }
            guard case .errorOccurred(let error) = events.last else {
                _ = Issue.record("\(String(describing: events.last))")
                return
            }
            #expect(error.code == .overflow)
        }

        @Test("The input is a sequence of bytes that ends with the session's closing")
        @BluetoothActor func sequence() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            let parts = AsyncStream<Data> { continuation in
                for part in [Data("one ".utf8), Data(), Data("two".utf8)] { continuation.yield(part) }
                continuation.finish()
            }
            try await session.output.write(contentsOf: parts)
            var taken = Data()
            for try await bytes in session.input.bytes {
                taken += bytes
                if taken.count == 7 { session.close() }
            }
            #expect(taken == Data("one two".utf8))
        }

        @Test("A cancelled consumer gets what is there, and no error", arguments: CancelledConsumer.allCases)
        @BluetoothActor func cancelled(consumer: CancelledConsumer) async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            fixture.manager.registerForNotifications()
            let notifications = fixture.manager.notifications()
            let session = try await fixture.session()
            #expect(try await consumer.count(of: notifications) == 1)
            #expect(try await consumer.count(of: session.input.bytes) == 0)
        }

        @Test("The sequence throws why a session ended, behind the last byte")
        @BluetoothActor func thrown() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session(Name.port)
            await simulator.perform {
                $0.classic.channels.last?.send(Array("last".utf8))
                $0.classic.channels.last?.closeWhenSent()
            }
            var taken = Data()
            let error = await #expect(throws: BluetoothError.self) {
                for try await bytes in session.input.bytes { taken += bytes }
            }
            #expect(error?.code == .disconnected && taken == Data("last".utf8))
        }

        @Test("An accessory over RFCOMM has to wait for a slow consumer, who gets it all, also after the end")
        @BluetoothActor func backPressure() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session(Name.port)
            let bytes = pattern(3 << 20)
            await simulator.perform {
                $0.classic.channels.last?.send([UInt8](bytes))
                $0.classic.channels.last?.closeWhenSent()
            }
            try await eventually("bytes") { session.input.hasBytesAvailable }
            #expect(await simulator.perform { $0.classic.channels.last?.waitingToBeSent ?? 0 } > 1 << 20)
            var taken = Data()
            _ = await #expect(throws: BluetoothError.self) {
                for try await piece in session.input.bytes { taken += piece }
            }
            #expect(taken == bytes)
        }

        @Test("One waits for bytes at a time; cancelling the task ends the waiting and takes nothing")
        @BluetoothActor func readers() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            var first: Data?
            session.input.read { bytes, _ in first = bytes }
            #expect(await fixture.failureCode { try await session.input.read() } == .busy)
            try await session.output.write(Data("first".utf8))
            try await eventually("the first") { first == Data("first".utf8) }
            var hasBegun = false
            let task = Task {
                hasBegun = true
                return try await session.input.read()
            }
            try await eventually("the task") { hasBegun }
            task.cancel()
            #expect(try await task.value == nil)
            try await session.output.write(Data("later".utf8))
            #expect(try await session.input.read() == Data("later".utf8))
        }
    }
}
