import Glibc
import Testing

@testable import BlueZDBus

/// Each reading function on each type, at each kind of place.
@Suite struct WrongTypeTests {
    typealias Read = @Sendable (inout MessageReader) throws(DBusError) -> Void

    /// A function, and the signatures that it reads: a whole one, or the beginning of one.
    struct Function: CustomTestStringConvertible {
        let testDescription: String
        let accepted: String
        let isPrefix: Bool
        let read: Read

        init(_ name: String, _ accepted: String, prefix: Bool = false, _ read: @escaping Read) {
            testDescription = name
            self.accepted = accepted
            isPrefix = prefix
            self.read = read
        }

        func accepts(_ signature: String) -> Bool {
            isPrefix ? signature.hasPrefix(accepted) : signature == accepted
        }
    }

    static let functions: [Function] = [
        Function("readByte", "y") { (reader) throws(DBusError) in _ = try reader.readByte() },
        Function("readBoolean", "b") { (reader) throws(DBusError) in _ = try reader.readBoolean() },
        Function("readInt16", "n") { (reader) throws(DBusError) in _ = try reader.readInt16() },
        Function("readUInt16", "q") { (reader) throws(DBusError) in _ = try reader.readUInt16() },
        Function("readInt32", "i") { (reader) throws(DBusError) in _ = try reader.readInt32() },
        Function("readUInt32", "u") { (reader) throws(DBusError) in _ = try reader.readUInt32() },
        Function("readInt64", "x") { (reader) throws(DBusError) in _ = try reader.readInt64() },
        Function("readUInt64", "t") { (reader) throws(DBusError) in _ = try reader.readUInt64() },
        Function("readDouble", "d") { (reader) throws(DBusError) in _ = try reader.readDouble() },
        Function("readString", "s") { (reader) throws(DBusError) in _ = try reader.readString() },
        Function("readText", "s") { (reader) throws(DBusError) in _ = try reader.readText() },
        Function("readObjectPath", "o") { (reader) throws(DBusError) in _ = try reader.readObjectPath() },
        Function("readSignature", "g") { (reader) throws(DBusError) in _ = try reader.readSignature() },
        Function("readFileDescriptor", "h") { (reader) throws(DBusError) in _ = try reader.readFileDescriptor() },
        Function("readBytes", "ay") { (reader) throws(DBusError) in _ = try reader.readBytes() },
        Function("readData", "ay") { (reader) throws(DBusError) in _ = try reader.readData() },
        Function("readStrings", "as") { (reader) throws(DBusError) in _ = try reader.readStrings() },
        Function("readArray", "a", prefix: true) { (reader) throws(DBusError) in
            try reader.readArray { (_) throws(DBusError) in }
        },
        Function("enterArray", "a", prefix: true) { (reader) throws(DBusError) in _ = try reader.enterArray() },
        Function("readDictionary", "a{", prefix: true) { (reader) throws(DBusError) in
            try reader.readDictionary { (_) throws(DBusError) in }
        },
        Function("readProperties", "a{sv}") { (reader) throws(DBusError) in
            try reader.readProperties { (_, _) throws(DBusError) in }
        },
        Function("readVariants", "a{sv}") { (reader) throws(DBusError) in
            try reader.readVariants { (_, _) throws(DBusError) in }
        },
        Function("readEntry", "{", prefix: true) { (reader) throws(DBusError) in
            try reader.readEntry { (_) throws(DBusError) in }
        },
        Function("readStructure", "(", prefix: true) { (reader) throws(DBusError) in
            try reader.readStructure { (_) throws(DBusError) in }
        },
        Function("readVariant", "v") { (reader) throws(DBusError) in
            try reader.readVariant { (_) throws(DBusError) in }
        },
    ]

    private static let values: [Value] = [
        .byte(1), .boolean(true), .int16(-2), .uint16(2), .int32(-3), .uint32(3), .int64(-4), .uint64(4), .double(5),
        .string("text"), .objectPath(.root), .signature("as"), .bytes([1, 2]), .bytes([]), .strings(["a", "b"]),
        .strings([]), .array(elements: "u", []), .array(elements: "t", []), .array(elements: "(yv)", []),
        .array(elements: "as", [.strings([])]), .properties([:]), .properties(["A": .byte(1)]),
        .dictionary(key: "s", value: "s", [:]), .dictionary(key: "q", value: "v", [.uint16(1): .variant(.byte(2))]),
        .structure([.byte(1), .string("b")]), .variant(.uint64(6)), .variant(.variant(.strings(["x"]))),
    ]

    /// Gives readers on the value at each kind of place.
    private static func atEachPlace(
        _ value: Value, _ check: (String, inout MessageReader) throws(DBusError) -> Void
    ) throws {
        func message(_ value: Value) throws -> MessageReader { try FuzzTests.message([.byte(0), value]).reader }
        var top = try message(value)
        top.skip()
        try check("argument", &top)
        var structure = try message(.structure([.byte(0), value]))
        structure.skip()
        try structure.readStructure { (fields) throws(DBusError) in
            fields.skip()
            try check("field", &fields)
        }
        var variant = try message(.variant(value))
        variant.skip()
        try variant.readVariant { (inner) throws(DBusError) in try check("variant", &inner) }
        var array = try message(.array(elements: value.signature, [value, value]))
        array.skip()
        try array.readArray { (element) throws(DBusError) in try check("element", &element) }
        var entered = try message(.array(elements: value.signature, [value]))
        entered.skip()
        var elements = try entered.enterArray()
        try check("entered element", &elements)
        var dictionary = try message(.dictionary(key: "y", value: value.signature, [.byte(1): value]))
        dictionary.skip()
        try dictionary.readDictionary { (entry) throws(DBusError) in
            entry.skip()
            try check("entry", &entry)
        }
        var properties = try message(.properties(["A": value]))
        properties.skip()
        try properties.readVariants { (_, value) throws(DBusError) in try check("property", &value) }
    }

    @Test("A function refuses each other type, and the value can then be read", arguments: functions)
    func wrongTypes(_ function: Function) throws {
        let descriptor = Value.fileDescriptor(UnixFileDescriptor(owning: fcntl(0, F_DUPFD_CLOEXEC, 0)))
        for value in Self.values + [descriptor] {
            try Self.atEachPlace(value) { (place, reader) throws(DBusError) in
                let (signature, offset, type) = (reader.signature, reader.offset, reader.type)
                let what: Comment = "\(value) as \(place)"
                #expect(signature == value.signature, what)
                if function.accepts(signature) {
                    try function.read(&reader)
                } else {
                    let error = #expect(throws: DBusError.self, what) { try function.read(&reader) }
                    #expect(error?.name == DBusError.Name.invalidArguments, what)
                    #expect(error?.message.contains("found '\(signature)'") == true, what)
                    #expect(reader.offset == offset && reader.type == type, what)
                    let read = try reader.readValue()
                    #expect(read.isIdentical(to: value), what)
                }
                try Self.checkEnd(function, &reader, what)
            }
        }
    }

    /// Past the end, each function throws and changes nothing.
    private static func checkEnd(_ function: Function, _ reader: inout MessageReader, _ what: Comment) throws(DBusError)
    {
        let (isAtEnd, signature, offset, type) = (reader.isAtEnd, reader.signature, reader.offset, reader.type)
        #expect(isAtEnd && signature.isEmpty, what)
        for _ in 0..<2 {
            let error = #expect(throws: DBusError.self, what) { try function.read(&reader) }
            #expect(error?.message.contains("found nothing") == true, what)
            #expect(throws: DBusError.self, what) { try reader.readValue() }
            reader.skip()
        }
        #expect(reader.offset == offset && reader.type == type, what)
        let rest = try reader.readRemainingValues()
        #expect(rest.isEmpty, what)
    }

    @Test("An entry is refused by each function but readEntry", arguments: functions)
    func entries(_ function: Function) throws {
        var reader = try FuzzTests.message([.properties(["A": .byte(1)])]).reader
        var entries = try reader.enterArray()
        if function.accepts("{sv}") {
            try function.read(&entries)
        } else {
            #expect(throws: DBusError.self) { try function.read(&entries) }
            #expect(throws: DBusError.self) { try entries.readValue() }
            try entries.readEntry { (entry) throws(DBusError) in
                let (name, value) = (try entry.readString(), try entry.readValue())
                #expect(name == "A" && value == .variant(.byte(1)))
                #expect(throws: DBusError.self) { try function.read(&entry) }
            }
        }
        let isAtEnd = entries.isAtEnd
        #expect(isAtEnd)
        #expect(throws: DBusError.self) { try function.read(&entries) }
    }

    @Test("A message without arguments has nothing to read", arguments: functions)
    func noArguments(_ function: Function) throws {
        var reader = try Message.signal(path: .root, interface: "a.b", member: "C").reader
        try Self.checkEnd(function, &reader, "no arguments")
    }
}
