import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import BlueZDBus

@Suite struct DescriptorPassingTests {
    @Test("Descriptors pass with the first byte, and are closed on exec", arguments: [1, 3, 253])
    func passing(_ count: Int) throws {
        let (sender, receiver) = try StreamSocket.pair()
        let (one, other) = try PacketSocket.pair()
        let descriptors = [UnixFileDescriptor](repeating: one.descriptor, count: count)
        #expect(sender.send([1, 2, 3][...], descriptors) == 3)
        guard case .portion(let portion) = receiver.receivePortion(limit: 100) else {
            Issue.record("Nothing has come")
            return
        }
        #expect(portion.bytes == [1, 2, 3] && portion.descriptors.count == count)
        let last = try #require(portion.descriptors.last)
        #expect(fcntl(last.rawValue, F_GETFD) & FD_CLOEXEC != 0 && last.rawValue != one.descriptor.rawValue)
        PacketSocket(last).send([7])
        #expect(other.receive() == .bytes(Data([7])))
        guard case .nothing = receiver.receivePortion(limit: 100) else {
            Issue.record("Something else has come")
            return
        }
        sender.shutDown()
        guard case .end = receiver.receivePortion(limit: 100) else {
            Issue.record("There is no end")
            return
        }
    }

    @Test("A message is decoded from its bytes, and invalid bytes are an error")
    func decoding() throws {
        let call = try Message.methodCall(
            to: "org.bluez", path: try ObjectPath("/org/bluez"), interface: "org.bluez.A", member: "B")
        try call.write { (writer) throws(DBusError) in try writer.append("text") }
        var bytes = call.bytes
        bytes[8] = 5
        #expect(try Message.size(startingWith: bytes.prefix(15)) == nil)
        #expect(try Message.size(startingWith: bytes[...]) == bytes.count)
        let decoded = try Message.decode(bytes[...])
        var reader = decoded.reader
        #expect(decoded.member == "B" && decoded.serial == 5 && decoded.descriptorCount == 0)
        #expect(try reader.readString() == "text")
        bytes[0] = 0
        #expect(throws: DBusError.self) { try Message.size(startingWith: bytes[...]) }
        #expect(throws: DBusError.self) { try Message.decode(bytes[...]) }
    }
}
