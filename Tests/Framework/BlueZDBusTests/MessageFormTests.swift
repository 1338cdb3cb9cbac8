import BlueZDBus
import TestSupport
import Testing

/// The messages of the errors that this side finds; `Scripts/check messages` sees the literals of the others.
@Suite struct MessageFormTests {
    private static func text(_ body: () throws -> Void) -> String {
        #expect(throws: DBusError.self, performing: body)?.message ?? ""
    }

    @Test(
        "What D-Bus cannot carry is an error that begins with a capital and has no full stop",
        arguments: WriterTests.wrong.indices)
    func writing(index: Int) throws {
        let message = try Message.signal(path: .root, interface: "a.b", member: "C")
        let text = Self.text { try message.write(WriterTests.wrong[index].1) }
        #expect(MessageForm.fault(in: text) == nil, "\(text)")
    }

    @Test("Reading another type is such an error", arguments: 0..<ValueTests.readCount)
    func reading(index: Int) throws {
        let message = try Message.signal(path: .root, interface: "a.b", member: "C")
        try message.write { (writer) throws(DBusError) in try writer.append("text") }
        var reader = message.reader
        let text = Self.text { try ValueTests.read(index, &reader) }
        #expect(MessageForm.fault(in: text) == nil, "\(text)")
    }

    @Test("A wrong name is such an error")
    func names() {
        let texts = [
            Self.text { _ = try ObjectPath("a") }, Self.text { _ = try ObjectPath.root.appending("-") },
            Self.text { _ = try Message.methodCall(to: "b", path: .root, interface: "c.d", member: "E") },
            Self.text { _ = try Message.methodCall(to: "a.b", path: .root, interface: "c", member: "E") },
            Self.text { _ = try Message.signal(path: .root, interface: "c.d", member: "E.") },
        ]
        for text in texts { #expect(MessageForm.fault(in: text) == nil, "\(text)") }
    }

    @Test("The end of a connection is such an error")
    func end() {
        #expect(MessageForm.fault(in: DBusError.disconnected().message) == nil)
    }
}
