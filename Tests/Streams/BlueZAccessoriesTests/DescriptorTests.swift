import BlueZAccessories
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension AccessoryPorts {
    @Suite(.virtualTime) struct DescriptorTests {
        /// Reads until the end of file or so many bytes, on a thread that may wait.
        private func bytes(from descriptor: CInt, _ count: Int = .max) async -> Data {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    var all = Data()
                    var buffer = [UInt8](repeating: 0, count: 1 << 16)
                    while all.count < count {
                        let length = unsafe read(descriptor, &buffer, min(buffer.count, count - all.count))
                        if length <= 0 { break }
                        all += buffer[..<length]
                    }
                    continuation.resume(returning: all)
                }
            }
        }

        private func send(_ bytes: Data, to descriptor: CInt) async -> Int {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
                    continuation.resume(returning: count)
                }
            }
        }

        @Test(
            "Bytes go both ways through a session's descriptors by calls that wait", arguments: [Name.uart, Name.port])
        @BluetoothActor func bothWays(_ name: String) async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session(name)
            let ends = try session.makeDescriptors()
            defer {
                close(ends.input)
                close(ends.output)
            }
            let data = pattern(name == Name.port ? 2 << 20 : 20_000)
            async let sent = send(data, to: ends.output)
            let echoed = await bytes(from: ends.input, data.count)
            #expect(await sent == data.count)
            #expect(echoed == data)
        }

        @Test("The end of file follows the session's end, behind the last byte")
        @BluetoothActor func endOfFile() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session(Name.port)
            let ends = try session.makeDescriptors()
            defer {
                close(ends.input)
                close(ends.output)
            }
            await simulator.perform {
                $0.classic.channels.last?.send([UInt8](pattern(500_000)))
                $0.classic.channels.last?.closeWhenSent()
            }
            #expect(await bytes(from: ends.input) == pattern(500_000))
        }

        @Test("When both descriptors are closed, what was written goes out, and then the session is closed")
        @BluetoothActor func closing() async throws {
            let simulator = try await AccessorySimulator()
            let fixture = try await AccessoryFixture(simulator)
            let session = try await fixture.session(Name.port)
            let ends = try session.makeDescriptors()
            #expect(await send(pattern(50_000), to: ends.output) == 50_000)
            close(ends.output)
            #expect(session.isOpen)
            close(ends.input)
            try await eventually("the session's end") { !session.isOpen }
            #expect(session.endError == nil)
            try await eventually("all bytes") {
                await simulator.perform { $0.classic.channels.last?.receivedCount } == 50_000
            }
        }

        @Test("A session has descriptors once, and only while it is open")
        @BluetoothActor func twice() async throws {
            let fixture = try await AccessoryFixture(try await AccessorySimulator())
            let session = try await fixture.session(Name.port)
            let ends = try session.makeDescriptors()
            #expect(await fixture.failureCode { try session.makeDescriptors() } == .busy)
            session.close()
            #expect(await bytes(from: ends.input).isEmpty)
            #expect(await fixture.failureCode { try session.makeDescriptors() } == .notConnected)
            close(ends.input)
            close(ends.output)
        }
    }
}
