import BlueZDBus
import Glibc
import TestSupport
import Testing

/// Random messages, read by each way that there is to read them.
@Suite struct ReaderPropertyTests {
    typealias Generator = FuzzTests.Generator

    /// Some different files.
    private static func descriptors() throws -> [UnixFileDescriptor] {
        try (0..<5).map { _ in
            let number = pipeEnd()
            try #require(number >= 0)
            return UnixFileDescriptor(owning: number)
        }
    }

    /// One end of a pipe whose other end is closed.
    private static func pipeEnd() -> CInt {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return -1 }
        close(ends[1])
        return ends[0]
    }

    @Test("Messages of random types are read value by value as they were written", arguments: 0..<8 as Range<UInt64>)
    func roundTrip(_ seed: UInt64) throws {
        var generator = Generator(state: seed &+ 7000)
        generator.descriptors = try Self.descriptors()
        var (checked, descriptors) = (0, 0)
        let rounds = 5 * Rounds.count(100)
        for number in 0..<rounds {
            let values = generator.arguments()
            let descriptorCount = values.reduce(0) { $0 + $1.descriptorCount }
            guard descriptorCount <= 16 else { continue }
            let message = try FuzzTests.message(values)
            var whole = message.reader
            let read = try whole.readRemainingValues()
            guard Value.areIdentical(read, values), message.bytes.hasSuffix(WireEncoder.body(values, .native)) else {
                Issue.record("Seed \(seed), message \(number): \(values) was read as \(read)")
                return
            }
            var reader = message.reader
            for value in values where try !Self.check(value, &reader, &generator) {
                Issue.record("Seed \(seed), message \(number): \(value) in \(values) was not read in its parts")
                return
            }
            guard reader.isAtEnd else {
                Issue.record("Seed \(seed), message \(number): there is more than \(values)")
                return
            }
            checked += 1
            descriptors += descriptorCount
        }
        #expect(checked > rounds * 24 / 25 && descriptors > rounds / 25)
    }

    /// Reads a value by one of the functions for its type, and compares its parts. Some are skipped.
    private static func check(
        _ value: Value, _ reader: inout MessageReader, _ generator: inout Generator
    ) throws(DBusError) -> Bool {
        guard !reader.isAtEnd, reader.signature == value.signature else { return false }
        switch generator.pick(8) {
        case 0:
            reader.skip()
            return true
        case 1: return try reader.readValue().isIdentical(to: value)
        default: break
        }
        let first = generator.pick(2) == 0
        switch value {
        case .byte(let value): return try reader.readByte() == value
        case .boolean(let value): return try reader.readBoolean() == value
        case .int16(let value): return try reader.readInt16() == value
        case .uint16(let value): return try reader.readUInt16() == value
        case .int32(let value): return try reader.readInt32() == value
        case .uint32(let value): return try reader.readUInt32() == value
        case .int64(let value): return try reader.readInt64() == value
        case .uint64(let value): return try reader.readUInt64() == value
        case .double(let value): return try reader.readDouble().bitPattern == value.bitPattern
        case .string(let value):
            guard first else { return try reader.readString().utf8.elementsEqual(value.utf8) }
            let text = try reader.readText()
            return text == value && text.string.utf8.elementsEqual(value.utf8)
        case .objectPath(let value): return try reader.readObjectPath() == value
        case .signature(let value): return try reader.readSignature() == value
        case .fileDescriptor(let value): return try reader.readFileDescriptor().file == value.file
        case .bytes(let value): return try first ? reader.readBytes() == value : [UInt8](reader.readData()) == value
        case .array(_, let values): return try checkArray(values, &reader, &generator)
        case .dictionary(_, _, let entries): return try checkEntries(Array(entries), &reader, &generator)
        case .structure(let fields):
            // What is left unread is skipped.
            let count = generator.pick(4) == 0 ? generator.pick(fields.count) : fields.count
            return try reader.readStructure { (reader) throws(DBusError) in
                for field in fields.prefix(count) where try !check(field, &reader, &generator) { return false }
                return reader.isAtEnd == (count == fields.count)
            }
        case .variant(let value):
            return try reader.readVariant { (reader) throws(DBusError) in try check(value, &reader, &generator) }
        }
    }

    private static func checkArray(
        _ values: [Value], _ reader: inout MessageReader, _ generator: inout Generator
    ) throws(DBusError) -> Bool {
        if generator.pick(2) == 0 {
            var elements = try reader.enterArray()
            for value in values where try !check(value, &elements, &generator) { return false }
            return elements.isAtEnd
        }
        var (rest, isRight) = (values[...], true)
        try reader.readArray { (element) throws(DBusError) in
            guard let value = rest.popFirst(), try check(value, &element, &generator) else { return isRight = false }
        }
        return isRight && rest.isEmpty
    }

    private static func checkEntries(
        _ entries: [(key: Value, value: Value)], _ reader: inout MessageReader, _ generator: inout Generator
    ) throws(DBusError) -> Bool {
        var (rest, isRight) = (entries[...], true)
        func checkEntry(_ reader: inout MessageReader) throws(DBusError) {
            guard let (key, value) = rest.popFirst() else { return isRight = false }
            // What is left unread is skipped.
            if generator.pick(6) == 0 { return }
            guard try check(key, &reader, &generator), try check(value, &reader, &generator), reader.isAtEnd else {
                return isRight = false
            }
        }
        func checkProperty(_ name: String, _ reader: inout MessageReader) throws(DBusError) {
            guard let (key, value) = rest.popFirst(), case .string(let text) = key, case .variant(let value) = value,
                text.utf8.elementsEqual(name.utf8)
            else { return isRight = false }
            if generator.pick(6) == 0 { return }
            guard try check(value, &reader, &generator), reader.isAtEnd else { return isRight = false }
        }
        let isProperties = reader.signature == "a{sv}"
        switch generator.pick(isProperties ? 4 : 2) {
        case 0: try reader.readDictionary { (entry) throws(DBusError) in try checkEntry(&entry) }
        case 1:
            var elements = try reader.enterArray()
            while !elements.isAtEnd {
                try elements.readEntry { (entry) throws(DBusError) in try checkEntry(&entry) }
            }
        case 2: try reader.readProperties { (name, value) throws(DBusError) in try checkProperty(name, &value) }
        default:
            try reader.readVariants { (name, value) throws(DBusError) in try checkProperty(name.string, &value) }
        }
        return isRight && rest.isEmpty
    }
}

extension FuzzTests.Generator {
    /// Up to four values of random types, short enough for one signature.
    mutating func arguments() -> [Value] {
        (0..<pick(5)).map { _ in
            let type = self.type(4)
            return value(type.utf8.count <= 60 ? type : "v", 4)
        }
    }
}

extension [UInt8] {
    func hasSuffix(_ bytes: [UInt8]) -> Bool { suffix(bytes.count).elementsEqual(bytes) }
}
