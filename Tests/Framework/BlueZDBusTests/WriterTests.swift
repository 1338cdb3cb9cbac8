import BlueZDBus
import Glibc
import TestSupport
import Testing

@Suite struct WriterTests {
    typealias Write = @Sendable (inout MessageWriter) throws(DBusError) -> Void

    private static func signal() throws -> Message {
        try Message.signal(path: .root, interface: "org.example.A", member: "B")
    }

    private static func nest(_ depth: Int, _ writer: inout MessageWriter) throws(DBusError) {
        guard depth > 0 else { return try writer.append(UInt8(1)) }
        try writer.appendVariant(depth == 1 ? "y" : "v") { (inner) throws(DBusError) in try nest(depth - 1, &inner) }
    }

    private static func structures(_ depth: Int, _ writer: inout MessageWriter) throws(DBusError) {
        guard depth > 0 else { return try writer.append(UInt8(1)) }
        try writer.appendStructure { (inner) throws(DBusError) in try structures(depth - 1, &inner) }
    }

    static let wrong: [(String, Write)] = [
        ("a string with U+0000", { (writer) throws(DBusError) in try writer.append("a\u{0}b") }),
        ("a signature that is none", { (writer) throws(DBusError) in try writer.append(signature: "a") }),
        ("a signature with U+0000", { (writer) throws(DBusError) in try writer.append(signature: "s\u{0}") }),
        ("an array of two types", { (writer) throws(DBusError) in try writer.appendArray(of: "ss") { _ in } }),
        ("an array of nothing", { (writer) throws(DBusError) in try writer.appendArray(of: "") { _ in } }),
        (
            "an array in 33 arrays",
            { (writer) throws(DBusError) in
                try writer.appendArray(of: String(repeating: "a", count: 32) + "y") { _ in }
            }
        ),
        (
            "an element of another type",
            { (writer) throws(DBusError) in
                try writer.appendArray(of: "s") { (inner) throws(DBusError) in try inner.append(UInt32(1)) }
            }
        ),
        (
            "an array among elements of another type",
            { (writer) throws(DBusError) in
                try writer.appendArray(of: "as") { (inner) throws(DBusError) in
                    try inner.appendArray(of: "y") { _ in }
                }
            }
        ),
        ("an empty variant", { (writer) throws(DBusError) in try writer.appendVariant("s") { _ in } }),
        (
            "a variant of two values",
            { (writer) throws(DBusError) in
                try writer.appendVariant("y") { (inner) throws(DBusError) in
                    try inner.append(UInt8(1))
                    try inner.append(UInt8(1))
                }
            }
        ),
        ("a variant of no type", { (writer) throws(DBusError) in try writer.appendVariant("") { _ in } }),
        ("an empty structure", { (writer) throws(DBusError) in try writer.appendStructure { _ in } }),
        (
            "a structure that lacks a field",
            { (writer) throws(DBusError) in
                try writer.appendArray(of: "(ys)") { (inner) throws(DBusError) in
                    try inner.appendStructure { (fields) throws(DBusError) in try fields.append(UInt8(1)) }
                }
            }
        ),
        (
            "a structure with a field too many",
            { (writer) throws(DBusError) in
                try writer.appendArray(of: "(y)") { (inner) throws(DBusError) in
                    try inner.appendStructure { (fields) throws(DBusError) in
                        try fields.append(UInt8(1))
                        try fields.append(UInt8(1))
                    }
                }
            }
        ),
        (
            "an entry outside of a dictionary",
            { (writer) throws(DBusError) in
                try writer.appendEntry { (inner) throws(DBusError) in
                    try inner.append("key")
                    try inner.append("value")
                }
            }
        ),
        (
            "an entry without value",
            { (writer) throws(DBusError) in
                try writer.appendArray(of: "{ss}") { (inner) throws(DBusError) in
                    try inner.appendEntry { (entry) throws(DBusError) in try entry.append("key") }
                }
            }
        ),
        (
            "a dictionary with a key that is no basic type",
            { (w) throws(DBusError) in
                try w.append(.dictionary(key: "v", value: "s", [:]))
            }
        ),
        (
            "a dictionary whose value type closes it",
            { (w) throws(DBusError) in
                try w.append(.dictionary(key: "s", value: "v}a{sv", [:]))
            }
        ),
        (
            "an entry of another type",
            { (w) throws(DBusError) in
                try w.append(.dictionary(key: "s", value: "u", [.string("a"): .string("b")]))
            }
        ),
        (
            "elements of different types",
            { (w) throws(DBusError) in
                try w.append(.array(elements: "s", [.string("a"), .byte(1)]))
            }
        ),
        ("an empty structure as a value", { (w) throws(DBusError) in try w.append(.structure([])) }),
        ("an empty structure in a variant", { (w) throws(DBusError) in try w.append(.variant(.structure([]))) }),
        ("65 variants in one another", { (writer) throws(DBusError) in try nest(65, &writer) }),
        ("33 structures in one another", { (writer) throws(DBusError) in try structures(33, &writer) }),
        ("256 arguments", { (writer) throws(DBusError) in for _ in 0..<256 { try writer.append(true) } }),
        ("70 MB of bytes", { (w) throws(DBusError) in try w.append([UInt8](repeating: 0, count: 70_000_000)) }),
        (
            "an array of arrays over 64 MiB",
            { (writer) throws(DBusError) in
                let bytes = [UInt8](repeating: 0, count: 1 << 20)
                try writer.appendArray(of: "ay") { (inner) throws(DBusError) in
                    for _ in 0..<65 { try inner.append(bytes) }
                }
            }
        ),
        (
            "a message over 128 MiB",
            { (writer) throws(DBusError) in
                let bytes = [UInt8](repeating: 0, count: 60 << 20)
                for _ in 0..<3 { try writer.append(bytes) }
            }
        ),
        (
            "a descriptor that is not open",
            { (writer) throws(DBusError) in
                try writer.append(UnixFileDescriptor(owning: -1))
            }
        ),
        (
            "17 descriptors",
            { (writer) throws(DBusError) in
                let descriptor = UnixFileDescriptor(owning: fcntl(0, F_DUPFD_CLOEXEC, 0))
                for _ in 0..<17 { try writer.append(descriptor) }
            }
        ),
    ]

    @Test("What D-Bus cannot carry is an error, and the message cannot be sent then", arguments: wrong.indices)
    func refuses(_ index: Int) throws {
        let (what, write) = Self.wrong[index]
        let message = try Self.signal()
        #expect(throws: DBusError.self, "\(what)") { try message.write(write) }
        #expect(throws: DBusError.self, "\(what)") { try message.copy() }
        #expect(throws: DBusError.self, "\(what)") {
            try message.write { (writer) throws(DBusError) in try writer.append(true) }
        }
    }

    @Test("The deepest nesting that D-Bus allows reaches the bus's other end")
    func deepest() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let peer = try await TestPeer(bus.address)
            let error: DBusError? = await withCheckedContinuation { continuation in
                do throws(DBusError) {
                    try peer.connection?.callBus(
                        "Nothing", timeout: .seconds(60),
                        write: { (writer) throws(DBusError) in
                            try Self.nest(64, &writer)
                            try Self.structures(32, &writer)
                            for _ in 0..<100 { try writer.append(true) }
                        },
                        reply: { result in
                            guard case .failure(let error) = result else { return continuation.resume(returning: nil) }
                            continuation.resume(returning: error)
                        }
                    )
                } catch {
                    continuation.resume(returning: error)
                }
            }
            #expect(error?.name == DBusError.Name.unknownMethod)
            #expect(error?.isLocal == false)
        }
    }

    @Test("A writer that swallowed an error inside a container makes a message that cannot be sent")
    func swallowed() throws {
        let message = try Self.signal()
        #expect(throws: DBusError.self) {
            try message.write { (writer) throws(DBusError) in
                try? writer.appendStructure { (inner) throws(DBusError) in
                    try inner.append(true)
                    throw DBusError.invalidArguments("given up")
                }
            }
        }
        #expect(throws: DBusError.self) { try message.copy() }
    }

    @Test("A refused value in an array leaves room for a right one")
    func swallowedBeforeWriting() throws {
        let message = try Self.signal()
        try message.write { (writer) throws(DBusError) in
            try writer.appendArray(of: "(ys)") { (elements) throws(DBusError) in
                try? elements.append(UInt8(1))
                try elements.appendStructure { (fields) throws(DBusError) in
                    try? fields.append("early")
                    try fields.append(UInt8(7))
                    try? fields.append("a\u{0}b")
                    try fields.append("text")
                }
            }
        }
        var reader = message.reader
        let values = try reader.readRemainingValues()
        #expect(values == [.array(elements: "(ys)", [.structure([.byte(7), .string("text")])])])
    }

    @Test("A message cannot be changed once it was sent, nor while it is written")
    func unchangeable() async throws {
        try await TestActor.run {
            let bus = try PrivateBus()
            let peer = try await TestPeer(bus.address)
            let message = try Self.signal()
            #expect(throws: DBusError.self) {
                try message.write { (_) throws(DBusError) in
                    try message.write { (writer) throws(DBusError) in try writer.append(true) }
                }
            }
            let sent = try Self.signal()
            try peer.open.send(sent)
            #expect(throws: DBusError.self) {
                try sent.write { (writer) throws(DBusError) in try writer.append(true) }
            }
            #expect(throws: DBusError.self) { try sent.setDestination("org.example.C") }
            sent.forbidReply()
            sent.forbidAutoStart()
            let copy = try sent.copy()
            try copy.write { (writer) throws(DBusError) in try writer.append(true) }
            try peer.open.send(copy)
        }
    }

    @Test("A reader reads what the message was when the reader was made")
    func staleReader() throws {
        let message = try Self.signal()
        try message.write { (writer) throws(DBusError) in try writer.append(true) }
        var reader = message.reader
        try message.setDestination("org.example.C")
        try message.write { (writer) throws(DBusError) in try writer.append("more") }
        let value = try reader.readBoolean()
        #expect(value)
        let isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
        var fresh = message.reader
        let values = try fresh.readRemainingValues()
        #expect(values == [.boolean(true), .string("more")])
    }

    @Test(
        "A name that D-Bus does not allow is an error",
        arguments: ["", ".", "a", "a.b\u{0}", "1.2.", "a..b", "a b.c", "ä.b", String(repeating: "a.b", count: 100)]
    )
    func names(_ name: String) throws {
        #expect(throws: DBusError.self) {
            try Message.methodCall(to: name, path: .root, interface: "a.b", member: "C")
        }
        #expect(throws: DBusError.self) {
            try Message.methodCall(to: "a.b", path: .root, interface: name, member: "C")
        }
        #expect(throws: DBusError.self) {
            try Message.methodCall(to: "a.b", path: .root, interface: "a.b", member: name + ".")
        }
        #expect(throws: DBusError.self) { try Message.signal(path: .root, interface: name, member: "C") }
        #expect(throws: DBusError.self) { try Message.signal(path: .root, interface: "a.b", member: "C.D") }
    }
}
