import BlueZClient
import BlueZDBus
import Foundation
import TestSupport
import Testing

@testable import BusRecorder

@Suite struct RelayTests {
    /// A relayed connection with both ends, whose reader keeps the members of the messages.
    @BluetoothActor private final class Relay: RelayedClient.Reader {
        private(set) var client: StreamSocket?
        private(set) var bus: StreamSocket?
        var members: [String?] {
            passed.readAll()
            return known
        }
        private(set) var hasEnded = false
        private(set) var hasClosed = false
        /// What the client gets instead of the descriptors of the bus.
        var replacement: [UnixFileDescriptor]?
        private var relayed: RelayedClient?
        private let passed = PassedMessages()
        private var known: [String?] = []

        init() throws {
            let (inner, outer) = try StreamSocket.pair()
            let (innerBus, outerBus) = try StreamSocket.pair()
            client = outer
            bus = outerBus
            relayed = RelayedClient(inner, to: innerBus, passed, reader: self) { [weak self] in
                self?.hasClosed = true
                self?.relayed = nil
            }
        }

        func read(_ message: Message, from side: MessageSplitter.Side) { known.append(message.member) }
        func replaceDescriptors(of message: Message) -> [UnixFileDescriptor] {
            replacement ?? message.receivedDescriptors
        }
        func end() { hasEnded = true }

        func closeClient() { client = nil }
        func closeBus() { bus = nil }
        func close() {
            relayed?.close()
            relayed = nil
        }

        /// Receives this many bytes of one end.
        func receive(_ count: Int, at end: StreamSocket?) async throws -> ([UInt8], [UnixFileDescriptor]) {
            var (bytes, descriptors): ([UInt8], [UnixFileDescriptor]) = ([], [])
            let end = try #require(end)
            try await Patience.wait(for: "\(count) bytes") {
                while bytes.count < count, case .portion(let portion) = end.receivePortion(limit: 65536) {
                    bytes += portion.bytes
                    descriptors += portion.descriptors
                }
                return bytes.count == count
            }
            return (bytes, descriptors)
        }
    }

    /// The authentication of a client, and the bus's lines.
    private static let begin = Array("\0AUTH EXTERNAL 30\r\nBEGIN\r\n".utf8)

    private static func signal(_ member: String, descriptors: UInt8 = 0) -> [UInt8] {
        var fields: [UInt8] = []
        for (code, type, text) in [(1, "o", "/a"), (2, "s", "a.b"), (3, "s", member)] as [(UInt8, String, String)] {
            while fields.count % 8 != 0 { fields.append(0) }
            fields += [code, 1] + Array(type.utf8) + [0, UInt8(text.utf8.count), 0, 0, 0] + Array(text.utf8) + [0]
        }
        if descriptors > 0 {
            while fields.count % 8 != 0 { fields.append(0) }
            fields += [9, 1, UInt8(ascii: "u"), 0, descriptors, 0, 0, 0]
        }
        var message: [UInt8] =
            [UInt8(ascii: "l"), 4, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(fields.count), 0, 0, 0] + fields
        while message.count % 8 != 0 { message.append(0) }
        return message
    }

    private static func descriptor() throws -> UnixFileDescriptor { try PacketSocket.pair().0.descriptor }

    @Test("Bytes pass unchanged, whatever they are, and the reader gets the messages")
    func bytes() async throws {
        try await BluetoothActor.run {
            let relay = try Relay()
            let rubbish = [UInt8](repeating: 0xAA, count: 1000)
            let all = Self.begin + Self.signal("One") + Self.signal("Two") + rubbish
            for byte in all.prefix(60) { #expect(relay.client?.send([byte]) == 1) }
            #expect(relay.client?.send(all[60...]) == all.count - 60)
            #expect(try await relay.receive(all.count, at: relay.bus).0 == all)
            #expect(relay.members == ["One", "Two"])
            #expect(relay.client?.send([1, 2, 3]) == 3)
            #expect(try await relay.receive(3, at: relay.bus).0 == [1, 2, 3])
            relay.close()
        }
    }

    @Test("Descriptors pass with their message, and those of the bus can be replaced")
    func descriptors() async throws {
        try await BluetoothActor.run {
            let relay = try Relay()
            let message = Self.signal("One", descriptors: 2)
            let sent = [try Self.descriptor(), try Self.descriptor()]
            let all = Self.begin + Self.signal("Zero")
            #expect(relay.client?.send(all[...]) == all.count)
            #expect(try await relay.receive(all.count, at: relay.bus).0 == all)
            // In two pieces, so that the message is complete only with the second.
            #expect(relay.client?.send(message[..<20], sent) == 20)
            #expect(relay.client?.send(message[20...]) == message.count - 20)
            let (bytes, received) = try await relay.receive(message.count, at: relay.bus)
            #expect(bytes == message && received.count == 2)

            let lines = Array("OK\r\n".utf8) + Self.signal("Hello")
            #expect(relay.bus?.send(lines[...]) == lines.count)
            #expect(try await relay.receive(lines.count, at: relay.client).0 == lines)
            let other = try PacketSocket.pair()
            relay.replacement = [other.0.descriptor]
            let reply = Self.signal("Reply", descriptors: 1)
            #expect(relay.bus?.send(reply[...], [sent[0]]) == reply.count)
            let (replyBytes, replaced) = try await relay.receive(reply.count, at: relay.client)
            #expect(replyBytes == reply && replaced.count == 1)
            PacketSocket(try #require(replaced.first)).send([42])
            #expect(other.1.receive() == .bytes(Data([42])))
            #expect(relay.members == ["Zero", "One", "Hello", "Reply"])
            relay.close()
        }
    }

    @Test("If the bus does not read, the client has to wait, and nothing is lost")
    func backPressure() async throws {
        try await BluetoothActor.run {
            let relay = try Relay()
            let client = try #require(relay.client)
            let message = Self.signal("Flood")
            let chunk = [UInt8](repeatElement(message, count: 1000).joined())
            var sent = Self.begin.count
            #expect(client.send(Self.begin[...]) == sent)
            var rest = chunk[...]
            var isFull = false
            try await Patience.wait(for: "the end of all space") {
                let before = sent
                while let count = client.send(rest), count > 0 {
                    sent += count
                    rest = count == rest.count ? chunk[...] : rest.dropFirst(count)
                }
                defer { isFull = sent == before }
                return isFull && sent == before
            }
            // The kernel's buffers, and the relay's.
            #expect(sent < 2_000_000)
            #expect(try await relay.receive(sent, at: relay.bus).0.count == sent)
            try await Patience.wait(for: "all messages") {
                relay.members.count == (sent - Self.begin.count) / message.count
            }
            relay.close()
        }
    }

    @Test("What a client has sent before its end reaches the bus, and then the end; the bus's end ends the client")
    func ends() async throws {
        try await BluetoothActor.run {
            let relay = try Relay()
            #expect(relay.client?.send(Self.begin[...]) == Self.begin.count)
            let message = Self.signal("Last")
            // The client will never read it.
            #expect(relay.bus?.send(message[...]) == message.count)
            for _ in 0..<100 { #expect(relay.client?.send(message[...]) == message.count) }
            relay.closeClient()
            let count = Self.begin.count + 100 * message.count
            #expect(try await relay.receive(count, at: relay.bus).0.count == count)
            try await Patience.wait(for: "the end") { relay.bus?.receive() == .end }
            relay.closeBus()
            try await Patience.wait(for: "the close") { relay.hasClosed && relay.hasEnded }

            let other = try Relay()
            #expect(other.bus?.send(Array("OK\r\n".utf8)[...]) == 4)
            other.closeBus()
            #expect(try await other.receive(4, at: other.client).0 == Array("OK\r\n".utf8))
            try await Patience.wait(for: "the end") { other.client?.receive() == .end && other.hasClosed }
        }
    }
}
