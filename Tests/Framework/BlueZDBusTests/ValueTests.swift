import BlueZDBus
import TestSupport
import Testing

@Suite struct ValueTests {
    static let values: [Value] = [
        .byte(0), .byte(255), .boolean(true), .boolean(false),
        .int16(.min), .int16(.max), .uint16(.max), .int32(.min), .int32(.max), .uint32(.max),
        .int64(.min), .int64(.max), .uint64(.max),
        .double(-0.5), .double(.infinity), .double(.leastNonzeroMagnitude),
        .string(""), .string("Grüße, 温度 🌡\n"), .string("\u{FFFF}"),
        .objectPath(.root), .signature(""), .signature("a{sv}(yy)"),
        .bytes([]), .bytes([0, 1, 255]), .bytes([UInt8](repeating: 7, count: 1 << 20)),
        .strings([]), .strings(["a", ""]),
        .array(elements: "i", [.int32(1), .int32(-1)]),
        .array(elements: "b", [.boolean(true)]),
        .array(elements: "ay", [.bytes([1]), .bytes([])]),
        .array(elements: "(yv)", [.structure([.byte(1), .variant(.string("x"))])]),
        .array(elements: "aaaas", []),
        .properties([:]), .properties(["A": .byte(1), "B": .strings(["x"]), "C": .variant(.boolean(true))]),
        .dictionary(key: "q", value: "v", [.uint16(76): .variant(.bytes([2, 21]))]),
        .dictionary(key: "o", value: "a{sa{sv}}", [:]),
        .structure([.byte(1), .structure([.string("a"), .double(2)]), .bytes([3])]),
        .variant(.variant(.structure([.variant(.byte(1))]))),
    ]

    @Test("A value of any type comes back from the bus as it was")
    func roundTrip() async throws {
        try await TestActor.run {
            let (server, client) = try await TestPeer.pair()
            try server.exportEcho(Self.values.map { "\($0.signature)s" })
            for value in Self.values {
                let answer = try await client.call(
                    server.name, "/echo", TestPeer.echo, "Echo", [value, .string("end")])
                #expect(answer == [value, .string("end")])
            }
        }
    }

    static let readCount = 19

    /// Reads something other than a string.
    static func read(_ index: Int, _ reader: inout MessageReader) throws(DBusError) {
        switch index {
        case 0: _ = try reader.readByte()
        case 1: _ = try reader.readBoolean()
        case 2: _ = try reader.readInt16()
        case 3: _ = try reader.readUInt16()
        case 4: _ = try reader.readInt32()
        case 5: _ = try reader.readUInt32()
        case 6: _ = try reader.readInt64()
        case 7: _ = try reader.readUInt64()
        case 8: _ = try reader.readDouble()
        case 9: _ = try reader.readSignature()
        case 10: _ = try reader.readObjectPath()
        case 11: _ = try reader.readBytes()
        case 12: _ = try reader.readFileDescriptor()
        case 13: _ = try reader.readStrings()
        case 14: try reader.readArray { (_) throws(DBusError) in }
        case 15: try reader.readDictionary { (_) throws(DBusError) in }
        case 16: try reader.readProperties { (_, _) throws(DBusError) in }
        case 17: try reader.readStructure { (_) throws(DBusError) in }
        default: try reader.readVariant { (_) throws(DBusError) in }
        }
    }

    @Test("Reading another type is an error and leaves the reader where it was", arguments: 0..<readCount)
    func wrongType(_ index: Int) throws {
        let message = try Message.signal(path: .root, interface: "a.b", member: "C")
        try message.write { (writer) throws(DBusError) in
            try writer.append("text")
            try writer.append(Value.array(elements: "(as)", [.structure([.strings(["a"])])]))
        }
        var reader = message.reader
        #expect(throws: DBusError.self) { try Self.read(index, &reader) }
        let text = try reader.readString()
        #expect(text == "text")
        let signature = reader.signature
        #expect(signature == "a(as)")
        #expect(throws: DBusError.self) { try reader.readStrings() }
        #expect(throws: DBusError.self) { try reader.readBytes() }
        #expect(throws: DBusError.self) {
            try reader.readDictionary { (entry) throws(DBusError) in _ = try entry.readValue() }
        }
        let values = try reader.readRemainingValues()
        #expect(values == [.array(elements: "(as)", [.structure([.strings(["a"])])])])
        #expect(throws: DBusError.self) { try Self.read(index, &reader) }
        #expect(throws: DBusError.self) { try reader.readValue() }
        reader.skip()
        let (isAtEnd, end) = (reader.isAtEnd, reader.signature)
        #expect(isAtEnd && end.isEmpty)
    }

    @Test("A body that stops in an element leaves the rest of the array readable")
    func partialRead() throws {
        let message = try Message.signal(path: .root, interface: "a.b", member: "C")
        try message.write { (writer) throws(DBusError) in
            try writer.append(
                .array(elements: "(yy)", [.structure([.byte(1), .byte(2)]), .structure([.byte(3), .byte(4)])]))
            try writer.append(.properties(["Known": .byte(9), "Unknown": .strings(["x"])]))
        }
        var reader = message.reader
        var first: [UInt8] = []
        try reader.readArray { (element) throws(DBusError) in
            first.append(try element.readStructure { (fields) throws(DBusError) in try fields.readByte() })
        }
        #expect(first == [1, 3])
        var known: UInt8?
        try reader.readProperties { (name, value) throws(DBusError) in
            if name == "Known" { known = try value.readByte() }
        }
        #expect(known == 9)
    }

    @Test("A variant is unwrapped to its innermost value")
    func unwrapped() {
        #expect(Value.variant(.variant(.byte(1))).unwrapped == .byte(1))
        #expect(Value.string("a").unwrapped == .string("a"))
    }
}
