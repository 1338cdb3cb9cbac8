import BlueZDBus
import TestSupport
import Testing

@Suite struct FuzzTests {
    /// The same values on every run.
    struct Generator: RandomNumberGenerator {
        private var random: SplitMix64
        /// What `h` is chosen from; without any, there is no `h`.
        var descriptors: [UnixFileDescriptor] = []

        init(state: UInt64) { random = SplitMix64(seed: state) }

        mutating func next() -> UInt64 { random.next() }

        mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

        private static let basic = ["y", "b", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g"]

        mutating func type(_ depth: Int) -> String {
            let basic = Self.basic
            guard depth > 0, pick(3) > 0 else {
                return !descriptors.isEmpty && pick(12) == 0 ? "h" : basic[pick(basic.count)]
            }
            switch pick(4) {
            case 0: return "v"
            case 1: return "a" + type(depth - 1)
            case 2: return "a{" + basic[pick(basic.count)] + type(depth - 1) + "}"
            default: return "(" + (0...pick(3)).map { _ in type(depth - 1) }.joined() + ")"
            }
        }

        mutating func value(_ type: String, _ depth: Int) -> Value {
            switch type.first {
            case "y": return .byte(UInt8(truncatingIfNeeded: next()))
            case "b": return .boolean(next() & 1 == 0)
            case "n": return .int16(Int16(truncatingIfNeeded: next()))
            case "q": return .uint16(UInt16(truncatingIfNeeded: next()))
            case "i": return .int32(Int32(truncatingIfNeeded: next()))
            case "u": return .uint32(UInt32(truncatingIfNeeded: next()))
            case "x": return .int64(Int64(truncatingIfNeeded: next()))
            case "t": return .uint64(next())
            case "d": return .double(Double(Int32(truncatingIfNeeded: next())) / 8)
            case "s": return .string(text())
            case "h": return .fileDescriptor(descriptors[pick(descriptors.count)])
            case "o": return .objectPath((try? ObjectPath("/a\(pick(9))/b")) ?? .root)
            case "g": return .signature(self.type(2))
            case "v": return .variant(value(depth > 0 ? self.type(depth - 1) : "y", depth - 1))
            case "(": return .structure(Self.split(type.dropFirst().dropLast()).map { value($0, depth - 1) })
            default: return container(String(type.dropFirst()), depth)
            }
        }

        /// Characters of one to four bytes.
        private mutating func text() -> String {
            var text = ""
            for _ in 0..<pick(5) {
                let limit: UInt32 = [0x80, 0x800, 0x10000, 0x110000][pick(4)]
                text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 1..<limit, using: &self)) ?? "\u{301}")
            }
            return text
        }

        private mutating func container(_ elements: String, _ depth: Int) -> Value {
            if elements == "y" { return .bytes((0..<pick(9)).map { UInt8($0) }) }
            guard elements.hasPrefix("{") else {
                return .array(elements: elements, (0..<pick(4)).map { _ in value(elements, depth - 1) })
            }
            let types = Self.split(elements.dropFirst().dropLast())
            var entries: [Value: Value] = [:]
            for _ in 0..<pick(4) { entries[value(types[0], 0)] = value(types[1], depth - 1) }
            return .dictionary(key: types[0], value: types[1], entries)
        }

        /// Cuts a signature into its complete types.
        static func split(_ signature: Substring) -> [String] {
            var (types, current, open) = ([String](), "", 0)
            for character in signature {
                current.append(character)
                if "({".contains(character) { open += 1 }
                if ")}".contains(character) { open -= 1 }
                guard open == 0, character != "a" else { continue }
                types.append(current)
                current = ""
            }
            return types
        }
    }

    static func message(_ values: [Value]) throws -> Message {
        let message = try Message.signal(path: .root, interface: "a.b", member: "C")
        try message.write { (writer) throws(DBusError) in for value in values { try writer.append(value) } }
        return message
    }

    @Test("Random values of random types are read as they were written", arguments: 0..<8 as Range<UInt64>)
    func roundTrip(_ seed: UInt64) throws {
        var generator = Generator(state: seed)
        for _ in 0..<400 {
            let values = (0...generator.pick(3)).map { _ in generator.value(generator.type(5), 5) }
            guard values.map(\.signature).joined().utf8.count <= 255 else { continue }
            let message = try Self.message(values)
            #expect(message.signature == values.map(\.signature).joined())
            var reader = message.reader
            let read = try reader.readRemainingValues()
            #expect(read == values)
        }
    }

    @Test("Random reads of random messages throw or read, but never trap", arguments: 0..<8 as Range<UInt64>)
    func wrongReads(_ seed: UInt64) throws {
        var generator = Generator(state: seed &+ 1000)
        var (refused, accepted) = (0, 0)
        for _ in 0..<400 {
            let message = try Self.message((0...3).map { _ in generator.value(generator.type(2), 3) })
            var reader = message.reader
            for _ in 0..<20 {
                do {
                    try Self.read(&reader, &generator, 3)
                    accepted += 1
                } catch {
                    refused += 1
                }
            }
        }
        #expect(refused > 1000 && accepted > 500)
    }

    static func read(
        _ reader: inout MessageReader,
        _ generator: inout Generator,
        _ depth: Int
    ) throws(DBusError) {
        _ = reader.signature
        guard depth > 0 else { return reader.skip() }
        switch generator.pick(ValueTests.readCount + 5) {
        case 0: reader.skip()
        case 1: _ = try reader.readValue()
        case 2:
            try reader.readArray { (inner) throws(DBusError) in try read(&inner, &generator, depth - 1) }
        case 3:
            try reader.readStructure { (inner) throws(DBusError) in try read(&inner, &generator, depth - 1) }
        case 4:
            try reader.readVariant { (inner) throws(DBusError) in try read(&inner, &generator, depth - 1) }
        case let index: try ValueTests.read(index - 5, &reader)
        }
    }

    @Test(
        "Random writes into random containers throw or make a message that the bus takes",
        arguments: 0..<8 as Range<UInt64>)
    func wrongWrites(_ seed: UInt64) async throws {
        try await TestActor.run {
            var generator = Generator(state: seed &+ 2000)
            let bus = try PrivateBus()
            let peer = try await TestPeer(bus.address)
            var (refused, accepted) = (0, 0)
            for _ in 0..<500 {
                let message = try Message.signal(path: .root, interface: "a.b", member: "C")
                do {
                    try message.write { (writer) throws(DBusError) in try Self.write(&writer, &generator, 3) }
                    accepted += 1
                    var reader = message.reader
                    _ = try reader.readRemainingValues()
                    try peer.open.send(message)
                } catch {
                    refused += 1
                }
            }
            let answer = try await peer.call(
                "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetNameOwner", [.string(peer.name)])
            #expect(answer == [.string(peer.name)])
            #expect(refused > 100 && accepted > 30)
        }
    }

    private static func write(
        _ writer: inout MessageWriter,
        _ generator: inout Generator,
        _ depth: Int
    ) throws(DBusError) {
        for _ in 0..<generator.pick(3) {
            let isSwallowed = generator.pick(4) == 0
            do throws(DBusError) {
                try writeOne(&writer, &generator, depth)
            } catch {
                if !isSwallowed { throw error }
            }
        }
    }

    private static func writeOne(
        _ writer: inout MessageWriter,
        _ generator: inout Generator,
        _ depth: Int
    ) throws(DBusError) {
        let type = generator.type(2)
        guard depth > 0 else { return try writer.append(generator.value(type, 2)) }
        switch generator.pick(7) {
        case 0: try writer.appendArray(of: type) { (w) throws(DBusError) in try write(&w, &generator, depth - 1) }
        case 1: try writer.appendVariant(type) { (w) throws(DBusError) in try write(&w, &generator, depth - 1) }
        case 2: try writer.appendStructure { (w) throws(DBusError) in try write(&w, &generator, depth - 1) }
        case 3: try writer.appendEntry { (w) throws(DBusError) in try write(&w, &generator, depth - 1) }
        case 4:
            let value = generator.value(type, 2)
            try writer.appendVariant(type) { (w) throws(DBusError) in try w.append(value) }
        default: try writer.append(generator.value(type, 2))
        }
    }
}
