import Glibc
import Testing

@testable import BlueZDBus

/// Containers that are left before their end.
@Suite struct ContainerTests {
    private static let contents: [Value] = [
        .byte(1), .uint64(2), .string("text"), .objectPath(.root), .signature("a{sv}"), .bytes([1, 2, 3]),
        .strings(["a", ""]), .array(elements: "t", []), .properties(["A": .byte(1), "B": .strings(["b"])]),
        .structure([.byte(1), .uint64(2)]), .variant(.structure([.variant(.int16(1)), .byte(3)])),
    ]

    private static func reader(_ value: Value) throws -> MessageReader {
        try FuzzTests.message([value, .uint16(7), .string("end")]).reader
    }

    private static func checkRest(_ reader: inout MessageReader) throws {
        let rest = try reader.readRemainingValues()
        #expect(rest == [.uint16(7), .string("end")])
    }

    @Test("What is left unread in a container is skipped", arguments: contents)
    func unread(_ value: Value) throws {
        for count in 0...3 {
            var structure = try Self.reader(.structure([.byte(0), value, .byte(0), value]))
            try structure.readStructure { (fields) throws(DBusError) in
                for _ in 0..<count { _ = try fields.readValue() }
            }
            try Self.checkRest(&structure)

            let elements = Value.array(elements: value.signature, [value, value, value])
            var array = try Self.reader(elements)
            var index = 0
            try array.readArray { (element) throws(DBusError) in
                index += 1
                guard index <= count else { return }
                let read = try element.readValue()
                #expect(read == value)
            }
            #expect(index == 3)
            try Self.checkRest(&array)

            var entered = try Self.reader(elements)
            var inner = try entered.enterArray()
            for _ in 0..<count {
                let read = try inner.readValue()
                #expect(read == value)
            }
            let isAtEnd = inner.isAtEnd
            #expect(isAtEnd == (count == 3))
            try Self.checkRest(&entered)

            let entries: [Value: Value] = [.byte(1): value, .byte(2): value, .byte(3): value]
            var dictionary = try Self.reader(.dictionary(key: "y", value: value.signature, entries))
            index = 0
            try dictionary.readDictionary { (entry) throws(DBusError) in
                for _ in 0..<min(index, count) { _ = try entry.readValue() }
                index += 1
            }
            #expect(index == 3)
            try Self.checkRest(&dictionary)
        }
        for isRead in [true, false] {
            var variant = try Self.reader(.variant(value))
            try variant.readVariant { (inner) throws(DBusError) in if isRead { _ = try inner.readValue() } }
            try Self.checkRest(&variant)

            var properties = try Self.reader(.properties(["A": value, "B": value, "C": value]))
            var names: Set<String> = []
            try properties.readProperties { (name, inner) throws(DBusError) in
                names.insert(name)
                guard isRead, name != "B" else { return }
                let read = try inner.readValue()
                #expect(read == value)
            }
            #expect(names == ["A", "B", "C"])
            try Self.checkRest(&properties)
        }
    }

    @Test("A closure that throws leaves the reader at the container", arguments: contents)
    func throwing(_ value: Value) throws {
        struct Case {
            let value: Value
            let read: (inout MessageReader) throws(DBusError) -> Void
        }
        let error = DBusError.invalidArguments("Enough")
        // An array of bytes has a case of its own.
        let array = value == .byte(1) ? Value.bytes([1]) : .array(elements: value.signature, [value])
        let cases = [
            Case(value: .structure([value, .byte(1)])) { (reader) throws(DBusError) in
                try reader.readStructure { (fields) throws(DBusError) in
                    fields.skip()
                    throw error
                }
            },
            Case(value: .variant(value)) { (reader) throws(DBusError) in
                try reader.readVariant { (_) throws(DBusError) in throw error }
            },
            Case(value: array) { (reader) throws(DBusError) in
                try reader.readArray { (element) throws(DBusError) in
                    element.skip()
                    throw error
                }
            },
            Case(value: .dictionary(key: "y", value: value.signature, [.byte(1): value])) {
                (reader) throws(DBusError) in
                try reader.readDictionary { (entry) throws(DBusError) in
                    entry.skip()
                    throw error
                }
            },
            Case(value: .properties(["A": value])) { (reader) throws(DBusError) in
                try reader.readProperties { (_, _) throws(DBusError) in throw error }
            },
        ]
        for test in cases {
            var reader = try Self.reader(test.value)
            #expect(throws: error) { try test.read(&reader) }
            let read = try reader.readValue()
            #expect(read == test.value)
            try Self.checkRest(&reader)
        }
    }

    @Test("A closure cannot read past its container")
    func tooMuch() throws {
        var array = try Self.reader(.array(elements: "y", [.byte(1), .byte(2)]))
        var bytes: [UInt8] = []
        try array.readArray { (element) throws(DBusError) in
            bytes.append(try element.readByte())
            #expect(throws: DBusError.self) { try element.readByte() }
        }
        #expect(bytes == [1, 2])
        try Self.checkRest(&array)

        var structure = try Self.reader(.structure([.byte(1)]))
        try structure.readStructure { (fields) throws(DBusError) in
            fields.skip()
            #expect(throws: DBusError.self) { try fields.readUInt16() }
        }
        try Self.checkRest(&structure)
    }

    @Test("A reader on entered elements stays valid, whatever becomes of the message")
    func entered() throws {
        func elements() throws -> MessageReader {
            var reader = try FuzzTests.message([.strings(["a", "b"])]).reader
            return try reader.enterArray()
        }
        var reader = try elements()
        var copy = reader
        let values = try reader.readRemainingValues()
        #expect(values == [.string("a"), .string("b")])
        let again = try copy.readString()
        #expect(again == "a")
    }

    @Test("Each descriptor of a message is found once, wherever the arguments name it")
    func descriptors() throws {
        let pipes = try (0..<3).map { _ in try Pipe() }
        let descriptors = pipes.map { UnixFileDescriptor(owning: fcntl($0.readEnd, F_DUPFD_CLOEXEC, 0)) }
        let values = descriptors.map { Value.fileDescriptor($0) }
        let message = try FuzzTests.message([
            .bytes(Array(repeating: 0, count: 100)), values[0],
            .array(elements: "v", [.variant(.byte(1)), .variant(values[1])]),
            .properties(["A": .structure([.string("a"), values[2]])]),
        ])
        let contents = message.contents
        func read() throws -> [Value] {
            var reader = MessageReader(contents)
            return try reader.readRemainingValues()
        }
        let first = try read()
        guard case .fileDescriptor(let one) = first[1],
            case .array(_, let variants) = first[2], case .variant(.fileDescriptor(let two))? = variants.last,
            case .dictionary(_, _, let entries) = first[3], case .variant(let structure)? = entries.first?.value,
            case .structure(let fields) = structure, case .fileDescriptor(let three)? = fields.last
        else { return #expect(Bool(false), "\(first)") }
        #expect([one, two, three].map(\.file) == descriptors.map(\.file))
        guard case .fileDescriptor(let again) = try read()[1] else { return #expect(Bool(false)) }
        #expect(again === one)
    }
}
