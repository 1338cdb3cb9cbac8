import BlueZClient
import BlueZDBus
import Foundation
import TestSupport
import Testing

@testable import BusRecorder

@Suite struct SplicedSocketTests {
    /// A spliced socket with both ends, and what has passed.
    @BluetoothActor private final class Splice {
        let daemon: PacketSocket
        private(set) var client: PacketSocket?
        private(set) var passed: [(packet: Data, isFromClient: Bool)] = []
        private(set) var hasClosed = false
        private var socket: SplicedSocket?

        init() throws {
            let (inner, outer) = try PacketSocket.pair()
            daemon = outer
            socket = try SplicedSocket(inner) { [weak self] in
                self?.passed.append(($0, $1))
            } closed: { [weak self] _ in
                self?.hasClosed = true
                self?.socket = nil
            }
            client = socket?.takeClientEnd().map { PacketSocket($0) }
        }

        func releaseClient() { client = nil }

        /// Receives packets of the client's end until one is the end, or there are this many.
        func receive(_ count: Int) async throws -> [Data] {
            let client = try #require(client)
            var packets: [Data] = []
            try await Patience.wait(for: "\(count) packets") {
                while packets.count < count, case .bytes(let packet) = client.receive() { packets.append(packet) }
                return packets.count == count
            }
            return packets
        }
    }

    @Test("Packets keep their boundaries, also empty ones, and the end follows them")
    func boundaries() async throws {
        try await BluetoothActor.run {
            let splice = try Splice()
            for packet: [UInt8] in [[1, 2], [], [3], []] { #expect(splice.daemon.send(packet)) }
            #expect(try await splice.receive(4) == [Data([1, 2]), Data(), Data([3]), Data()])
            #expect(splice.daemon.send([4]))
            splice.daemon.shutDown()
            try await Patience.wait(for: "the end") { splice.hasClosed }
            #expect(try await splice.receive(1) == [Data([4])])
            #expect(splice.client?.receive() == .end)
            #expect(splice.passed.map(\.packet) == [Data([1, 2]), Data(), Data([3]), Data(), Data([4])])
        }
    }

    @Test("What a client has sent before it closed its end reaches bluetoothd, and then the end")
    func clientEnd() async throws {
        try await BluetoothActor.run {
            let splice = try Splice()
            for number: UInt8 in 1...50 { #expect(splice.client?.send([number]) == true) }
            splice.releaseClient()
            try await Patience.wait(for: "the end") { splice.hasClosed }
            for number: UInt8 in 1...50 { #expect(splice.daemon.receive() == .bytes(Data([number]))) }
            #expect(splice.daemon.receive() == .end)
            #expect(splice.passed.allSatisfy(\.isFromClient) && splice.passed.count == 50)
        }
    }

    @Test("If the client does not read, bluetoothd notices, and nothing is lost")
    func backPressure() async throws {
        try await BluetoothActor.run {
            let splice = try Splice()
            let bytes = [UInt8](repeating: 7, count: 100)
            var sent = 0
            // Until nothing more fits, although the loop has had the time to pass on what came.
            var isFull = false
            try await Patience.wait(for: "the end of all space") {
                while splice.daemon.trySend(bytes[...]) == .sent {
                    sent += 1
                    isFull = false
                }
                defer { isFull = true }
                return isFull && splice.passed.count < sent
            }
            // The kernel has space for some hundred packets in each of the two sockets.
            #expect(sent < 2000 && splice.passed.count < sent)
            #expect(try await splice.receive(sent).allSatisfy { $0.count == 100 })
            try await Patience.wait(for: "all packets") { splice.passed.count == sent }
        }
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        [
            UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8),
            UInt8(truncatingIfNeeded: number),
        ]
    }

    @Test("20,000 packets pass in order, as fast as they are read")
    func flood() async throws {
        try await BluetoothActor.run {
            let splice = try Splice()
            let client = try #require(splice.client)
            var (sent, received): (UInt32, UInt32) = (0, 0)
            try await Patience.wait(for: "20,000 packets") {
                while sent < 20_000, splice.daemon.trySend(Self.bytes(of: sent)[...]) == .sent {
                    sent += 1
                }
                while case .bytes(let packet) = client.receive() {
                    #expect(packet == Data(Self.bytes(of: received)))
                    received += 1
                }
                return received == 20_000
            }
            #expect(splice.passed.count == 20_000)
        }
    }

    @Test("A client that sends nothing more has ended")
    func halfClosed() async throws {
        try await BluetoothActor.run {
            let splice = try Splice()
            let client = try #require(splice.client)
            #expect(client.send([1]))
            shutdown(client.descriptor.rawValue, 1)
            try await Patience.wait(for: "the end") { splice.hasClosed }
            #expect(splice.passed.map(\.packet) == [Data([1])])
        }
    }
}
