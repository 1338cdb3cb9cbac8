import BlueZAccessories
import BlueZAccessoryStreams
import BlueZSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension AccessoryPorts {
    /// What the delegates of Foundation streams are told of, and when.
    @Suite(.realTime) struct StreamDelegateTests {
        /// A delegate that notes its events, and takes the bytes if it is told to.
        private final class Recorder: NSObject, StreamDelegate {
            let streams: AccessoryStreamPair
            var takes = false
            var inputEvents: [Stream.Event] = []
            var outputEvents: [Stream.Event] = []
            var taken = Data()
            private let limit: Date

            init(_ descriptors: AccessoryDescriptors, of session: AccessorySession) {
                streams = AccessoryStreamPair(descriptors, of: session)
                limit = Date(timeIntervalSinceNow: Double(Duration.seconds(60).stretched.components.seconds))
                super.init()
                streams.input.delegate = self
                streams.output.delegate = self
            }

            func begin() {
                for stream in [streams.input, streams.output] as [Stream] {
                    stream.schedule(in: .current, forMode: .default)
                    stream.open()
                }
            }

            func stream(_ stream: Stream, handle event: Stream.Event) {
                if stream === streams.input { inputEvents.append(event) } else { outputEvents.append(event) }
                if event == .hasBytesAvailable, takes { taken += read() }
            }

            func run(until condition: () -> Bool) {
                while !condition(), Date() < limit {
                    guard RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02)) else { break }
                }
            }

            func read() -> Data {
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                let count = unsafe streams.input.read(&buffer, maxLength: buffer.count)
                return Data(buffer.prefix(max(0, count)))
            }

            func write(_ byte: UInt8) -> Int { unsafe streams.output.write([byte], maxLength: 1) }

            func end() {
                streams.input.close()
                streams.output.close()
            }
        }

        /// Lets a recorder do something on a thread of its own, which has a run loop.
        private func record<Value: Sendable>(
            _ session: AccessorySession, _ body: @escaping @Sendable (Recorder) -> Value
        ) async throws -> Value {
            let descriptors = try await session.makeDescriptors()
            return await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let recorder = Recorder(descriptors, of: session)
                    let value = body(recorder)
                    recorder.end()
                    continuation.resume(returning: value)
                }
            }
        }

        private struct Ends: Sendable {
            var events: [Stream.Event?] = []
            var statuses: [Stream.Status] = []
            var codes: [BluetoothError.Code?] = []
            var hasErrors = false

            init(_ recorder: Recorder) {
                events = [recorder.inputEvents.last, recorder.outputEvents.last]
                for stream in [recorder.streams.input, recorder.streams.output] as [Stream] {
                    statuses.append(stream.streamStatus)
                    codes.append((stream.streamError as? BluetoothError)?.code)
                    if stream.streamError != nil { hasErrors = true }
                }
            }
        }

        @Test("A lost accessory is the end of both streams, and no error")
        @BluetoothActor func lost() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session()
            let ends = try await record(session) { recorder in
                recorder.begin()
                recorder.run { !recorder.inputEvents.isEmpty && recorder.outputEvents.count == 2 }
                SimulatorActor.schedule(after: .zero) { simulator.uart.peripheral.simulateDisconnection() }
                recorder.run {
                    recorder.inputEvents.last == .endEncountered && recorder.outputEvents.last == .endEncountered
                }
                return Ends(recorder)
            }
            #expect(ends.events == [.endEncountered, .endEncountered])
            #expect(ends.statuses == [.atEnd, .atEnd] && !ends.hasErrors)
        }

        @Test("An overflow is an error of both streams, behind the last byte", arguments: [true, false])
        @BluetoothActor func overflow(_ isOpenBefore: Bool) async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session()
            let part = [UInt8](pattern(8192))
            let fill: @Sendable () async -> Void = {
                try? await eventually("the end") { @BluetoothActor in
                    await simulator.perform { $0.uart.send(part) }
                    return !session.isOpen
                }
            }
            let (ends, count) = try await record(session) { recorder in
                let end = DispatchSemaphore(value: 0)
                Task {
                    await fill()
                    end.signal()
                }
                if isOpenBefore {
                    recorder.begin()
                    recorder.run { recorder.outputEvents.last == .errorOccurred }
                    recorder.takes = true
                    recorder.taken += recorder.read()
                } else {
                    end.wait()
                    recorder.takes = true
                    recorder.begin()
                }
                recorder.run {
                    recorder.inputEvents.last == .errorOccurred && recorder.outputEvents.last == .errorOccurred
                }
                return (Ends(recorder), recorder.taken.count)
            }
            #expect(ends.events == [.errorOccurred, .errorOccurred] && ends.statuses == [.error, .error])
            #expect(ends.codes == [.overflow, .overflow])
            #expect(count > 0)
        }

        @Test("A stream that is taken off its run loop reports nothing, until it is scheduled again")
        @BluetoothActor func removed() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            let (before, after, bytes) = try await record(session) { recorder in
                let input = recorder.streams.input
                recorder.begin()
                recorder.run { !recorder.inputEvents.isEmpty && recorder.outputEvents.count == 2 }
                _ = recorder.write(7)
                // Until the news waits for this run loop; without that there is nothing to take off.
                for _ in 0..<20 where !input.hasBytesAvailable { Self.waitForActor() }
                Self.waitForActor()
                Self.waitForActor()
                input.remove(from: .current, forMode: .default)
                _ = recorder.write(8)
                // The space after both writes may be announced once.
                recorder.run { recorder.outputEvents.count >= 3 }
                let before = recorder.inputEvents
                input.schedule(in: .current, forMode: .default)
                recorder.takes = true
                recorder.run { recorder.taken.count == 2 }
                return (before, recorder.inputEvents, recorder.taken)
            }
            #expect(before == [.openCompleted])
            #expect(after.contains(.hasBytesAvailable) && bytes == Data([7, 8]))
        }

        /// Waits, on a thread of no actor, until the actor's thread has had a turn.
        private static func waitForActor() {
            let turn = DispatchSemaphore(value: 0)
            Task { @BluetoothActor in turn.signal() }
            turn.wait()
        }

        @Test("Bytes that were taken already are not announced, however many were")
        @BluetoothActor func taken() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            let (bytes, events) = try await record(session) { recorder in
                recorder.streams.input.open()
                recorder.streams.output.open()
                var bytes = Data()
                for byte in 0..<UInt8(100) {
                    _ = recorder.write(byte)
                    bytes += recorder.read()
                }
                recorder.streams.input.schedule(in: .current, forMode: .default)
                _ = recorder.write(100)
                recorder.run { recorder.inputEvents.count >= 2 }
                // Whatever else waits is due.
                RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.05))
                return (bytes + recorder.read(), recorder.inputEvents)
            }
            #expect(bytes == Data(0...100))
            // The news of the last byte may be a second one.
            #expect(events.first == .openCompleted && events.dropFirst().allSatisfy { $0 == .hasBytesAvailable })
            #expect(events.count <= 3)
        }
    }
}
