import BlueZAccessories
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension AccessoryPorts {
    /// Tasks that are cancelled while they use a session, and those that come after them.
    @Suite(.virtualTime) struct ReaderTests {
        @Test(
            "A reader that is cancelled before bytes arrive takes none, and after that does not end the next one",
            arguments: [true, false])
        @BluetoothActor func successor(_ isBefore: Bool) async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            var hasBegun = false
            let reader = Task {
                hasBegun = true
                return try await session.input.read()
            }
            try await eventually("the reader") { hasBegun }
            // The reader's call may have a turn of its own.
            await withCheckedContinuation { continuation in BluetoothActor.perform { continuation.resume() } }
            var next: [Data?] = []
            let receive = try #require(session.stream.receiveHandler)
            session.stream.receiveHandler = { bytes in
                session.stream.receiveHandler = receive
                if isBefore { reader.cancel() }
                receive(bytes)
                reader.cancel()
                session.input.read { bytes, _ in next.append(bytes) }
            }
            try await session.output.write(Data("first".utf8))
            #expect(try await reader.value == (isBefore ? nil : Data("first".utf8)))
            if !isBefore { try await session.output.write(Data("second".utf8)) }
            try await eventually("the next reader") { !next.isEmpty }
            #expect(next == [Data((isBefore ? "first" : "second").utf8)])
        }

        @Test("A reader that is cancelled makes room for the next one at once")
        @BluetoothActor func room() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            var hasBegun = false
            let cancelled = Task {
                hasBegun = true
                return try await session.input.read()
            }
            try await eventually("the reader") { hasBegun }
            cancelled.cancel()
            var taken: Data?
            var error: BluetoothError?
            session.input.read { (taken, error) = ($0, $1) }
            try await session.output.write(Data("bytes".utf8))
            try await eventually("the bytes") { taken != nil || error != nil }
            #expect(try await cancelled.value == nil)
            #expect(taken == Data("bytes".utf8) && error == nil)
        }

        @Test("No cancelled reader ends the next one or takes its bytes, in any round")
        @BluetoothActor func roundsOfReaders() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            for round in 0..<Rounds.count(64) {
                let reader = Task { try await session.input.read() }
                for _ in 0..<round % 4 { await Task.yield() }
                session.output.write(Data([1])) { _ in }
                for _ in 0..<round / 8 % 16 { await Task.yield() }
                if round / 4 % 2 == 0 { reader.cancel() } else { await Task.detached { reader.cancel() }.value }
                var next: Data?
                var error: BluetoothError?
                session.input.read { (next, error) = ($0, $1) }
                if try await reader.value != nil { session.output.write(Data([1])) { _ in } }
                try await eventually("bytes for the next reader, in round \(round)") {
                    next != nil || error != nil
                }
                #expect(next == Data([1]) && error == nil, "in round \(round)")
            }
        }

        @Test("A write that is cancelled leaves word of the space that there is")
        @BluetoothActor func space() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            var events: [AccessoryStreamEvent] = []
            session.output.eventHandler = { events.append($0) }
            try await eventually("space") { events == [.openCompleted, .hasSpaceAvailable] }
            let write = Task { try await session.output.write(Data([1])) }
            write.cancel()
            #expect(await fixture.failureCode { try await write.value } == .cancelled)
            try await eventually("space again") { events.count == 3 }
            #expect(events.last == .hasSpaceAvailable)
        }
    }
}
