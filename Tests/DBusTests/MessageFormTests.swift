import DBus
import TestSupport
import Testing

@Suite struct MessageFormTests {
    /// Errors that this side finds, each by what causes it.
    private static let causes: [@Sendable () throws -> Void] = [
        { _ = try ObjectPath("a") },
        { _ = try ObjectPath("/a").appending("-") },
        { _ = try Message.methodCall(to: "b", path: .root, interface: "c.d", member: "E") },
        { _ = try write { try $0.append("\u{0}") } },
        { _ = try write { try $0.append(signature: "{") } },
        { _ = try write { try $0.append(.array(elements: "s", [.byte(1)])) } },
        { _ = try write { try $0.append(.structure([])) } },
        { _ = try write { try $0.append(UnixFileDescriptor(owning: -1)) } },
        {
            var reader = try write { try $0.append("text") }.reader; _ = try reader.readByte()
        },
        {
            var reader = try write { try $0.append("text") }.reader; _ = try reader.readBytes()
        },
    ]

    private static func write(_ body: (inout MessageWriter) throws(DBusError) -> Void) throws -> Message {
        let message = try Message.signal(path: .root, interface: "a.b", member: "C")
        try message.write(body)
        return message
    }

    @Test("Errors of this side begin with a capital and have no full stop", arguments: causes.indices)
    func local(index: Int) {
        let error = #expect(throws: DBusError.self) { try Self.causes[index]() }
        #expect(error.map { MessageForm.fault(in: $0.message) } == .some(nil), "\(error?.message ?? "")")
    }

    @Test("The ends of a connection and of a wait are such errors")
    func ends() {
        #expect(MessageForm.fault(in: DBusError.disconnected().message) == nil)
        #expect(MessageForm.fault(in: DBusError.timedOut("Get was not answered within 1 s").message) == nil)
    }
}
