import BlueZAccessories
import BlueZAccessoryStreams
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension AccessoryPorts {
    @Suite(.realTime) struct FoundationStreamTests {
        /// Copies bytes out and takes those that come back, as an application's delegate does, on one thread.
        private final class Client: NSObject, StreamDelegate {
            let streams: AccessoryStreamPair
            let data: Data
            var sent = 0
            var received = Data()
            var events: [String] = []
            var isDone = false
            let thread = Thread.current
            var isElsewhere = false

            init(_ streams: AccessoryStreamPair, _ data: Data) {
                self.streams = streams
                self.data = data
            }

            func run(until date: Date) {
                let all: [Stream] = [streams.input, streams.output]
                for stream in all {
                    stream.delegate = self
                    stream.schedule(in: .current, forMode: .default)
                    stream.open()
                }
                // The events come by timers, after which this does not return.
                while !isDone, Date() < date {
                    guard RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02)) else { break }
                }
                for stream in all {
                    stream.close()
                    stream.remove(from: .current, forMode: .default)
                }
            }

            func stream(_ stream: Stream, handle event: Stream.Event) {
                if Thread.current !== thread { isElsewhere = true }
                let name = stream === streams.input ? "input" : "output"
                switch event {
                case .openCompleted: events.append("\(name) open")
                case .hasBytesAvailable: take()
                case .hasSpaceAvailable: give()
                case .endEncountered:
                    events.append("\(name) end")
                    if name == "input" { isDone = true }
                default: events.append("\(name) \(event)")
                }
            }

            private func take() {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = unsafe streams.input.read(&buffer, maxLength: buffer.count)
                if count > 0 { received += buffer[..<count] }
                if received.count == data.count, !data.isEmpty { isDone = true }
            }

            private func give() {
                guard sent < data.count else { return }
                let rest = [UInt8](data[sent...].prefix(10_000))
                let count = unsafe streams.output.write(rest, maxLength: rest.count)
                if count > 0 { sent += count }
            }
        }

        private struct Outcome: Sendable {
            var received = Data()
            var events: [String] = []
            var isElsewhere = false
            var statuses: [UInt] = []
        }

        /// Runs a client on a thread with a run loop, after what begins when it has the session's descriptors.
        private func run(
            _ session: AccessorySession, _ data: Data, beginning: @Sendable () async -> Void = {}
        ) async throws -> Outcome {
            let descriptors = try await session.makeDescriptors()
            await beginning()
            let limit = Duration.seconds(60).stretched.components.seconds
            return await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let client = Client(AccessoryStreamPair(descriptors, of: session), data)
                    client.run(until: Date(timeIntervalSinceNow: Double(limit)))
                    let statuses = [client.streams.input as Stream, client.streams.output].map(\.streamStatus.rawValue)
                    continuation.resume(
                        returning: Outcome(
                            received: client.received, events: client.events, isElsewhere: client.isElsewhere,
                            statuses: statuses))
                }
            }
        }

        @Test("A delegate gets bytes and space on its run loop's thread, and the streams close")
        @BluetoothActor func bothWays() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            let outcome = try await run(session, pattern(300_000))
            #expect(outcome.received == pattern(300_000))
            #expect(Set(outcome.events) == ["input open", "output open"])
            #expect(!outcome.isElsewhere)
            #expect(outcome.statuses == [UInt](repeating: Stream.Status.closed.rawValue, count: 2))
            try await eventually("the session's end") { !session.isOpen }
        }

        @Test("The end of the accessory is an event of the input, behind the last byte")
        @BluetoothActor func ending() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session(Name.port)
            let outcome = try await run(session, Data()) {
                await simulator.perform {
                    $0.classic.channels.last?.send([UInt8](pattern(100_000)))
                    $0.classic.channels.last?.closeWhenSent()
                }
            }
            #expect(outcome.received == pattern(100_000))
            #expect(outcome.events.contains("input end"))
        }

        @Test("Without a run loop the streams wait; before opening and after closing they refuse")
        @BluetoothActor func waiting() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            let descriptors = try session.makeDescriptors()
            let result = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let streams = AccessoryStreamPair(descriptors, of: session)
                    var buffer = [UInt8](repeating: 0, count: 100)
                    var counts = [unsafe streams.output.write([1], maxLength: 1)]
                    counts.append(unsafe streams.input.read(&buffer, maxLength: 100))
                    streams.output.open()
                    streams.input.open()
                    counts.append(unsafe streams.output.write([7, 8, 9], maxLength: 3))
                    var taken = Data()
                    while taken.count < 3 {
                        let count = unsafe streams.input.read(&buffer, maxLength: 100)
                        if count <= 0 { break }
                        taken += buffer[..<count]
                    }
                    counts += taken.map(Int.init)
                    streams.output.close()
                    counts.append(unsafe streams.output.write([1], maxLength: 1))
                    streams.input.close()
                    counts.append(unsafe streams.input.read(&buffer, maxLength: 100))
                    continuation.resume(returning: counts)
                }
            }
            #expect(result == [-1, -1, 3, 7, 8, 9, -1, -1])
        }
    }
}
