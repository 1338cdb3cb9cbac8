import Testing

@testable import BlueZDBus

/// Bytes that no writer writes.
@Suite struct CorruptionTests {
    private typealias Generator = FuzzTests.Generator

    /// Makes other bytes of some.
    static func corrupt(_ bytes: inout [UInt8], _ generator: inout FuzzTests.Generator) {
        for _ in 0...generator.pick(3) {
            let index = generator.pick(bytes.count)
            if generator.pick(2) == 0 {
                bytes[index] ^= 1 << UInt8(generator.pick(8))
            } else {
                bytes[index] = UInt8(truncatingIfNeeded: generator.next())
            }
        }
    }

    /// The arguments of a message, by the length in its header.
    private static func body(_ bytes: [UInt8], _ order: WireEncoder.Order) -> [UInt8] {
        let length = bytes[4..<8].enumerated().reduce(0) { length, byte in
            length | Int(byte.element) << (8 * (order == .little ? byte.offset : 3 - byte.offset))
        }
        return bytes.suffix(length)
    }

    @Test("Of a corrupt message that libdbus takes, just its bytes are read", arguments: 0..<8 as Range<UInt64>)
    func corruptBytes(_ seed: UInt64) throws {
        var generator = Generator(state: seed &+ 11_000)
        var (accepted, refused, original) = (0, 0, [UInt8]())
        let headers = HeaderCache()
        for number in 0..<2500 {
            if number % 10 == 0 {
                original = WireEncoder.signal(generator.arguments(), generator.pick(4) == 0 ? .foreign : .native)
            }
            var bytes = original
            Self.corrupt(&bytes, &generator)
            let reference = Message.reference(bytes)
            guard let message = Message.received(bytes, headers: headers),
                let order = WireEncoder.Order(rawValue: bytes[0])
            else {
                refused += 1
                if reference != nil { Issue.record("Seed \(seed), message \(number): libdbus takes \(bytes)") }
                continue
            }
            accepted += 1
            if reference != message.bytes {
                Issue.record(
                    "Seed \(seed), message \(number): libdbus makes \(String(describing: reference)) of \(bytes)")
            }
            do throws(DBusError) {
                var reader = message.reader
                let values = try reader.readRemainingValues()
                if !values.contains(where: \.hasDictionary),
                    WireEncoder.body(values, order) != Self.body(bytes, order)
                {
                    Issue.record("Seed \(seed), message \(number): \(bytes) was read as \(values)")
                }
            } catch {
                // Nothing came with the message, so a flip that makes a descriptor of a number is found when it is read.
                if !error.message.contains("file descriptor") {
                    Issue.record("Seed \(seed), message \(number): \(bytes): \(error)")
                }
            }
            _ = (message.path, message.senderText?.string, message.error, message.isSignal("org.example.A", "B"))
            _ = try? message.firstBytes()
            var reader = message.reader
            for _ in 0..<3 { try? FuzzTests.read(&reader, &generator, 3) }
        }
        #expect(accepted > 100 && refused > 300, "\(accepted) were accepted, \(refused) refused")
    }

    @Test("A descriptor that did not come is an error, and can be skipped")
    func missingDescriptor() throws {
        let descriptor = UnixFileDescriptor(owning: -1)
        let message = try #require(
            Message.received(WireEncoder.signal([.fileDescriptor(descriptor), .byte(1)], .native)))
        var reader = message.reader
        #expect(throws: DBusError.self) { try reader.readFileDescriptor() }
        reader.skip()
        let byte = try reader.readByte()
        #expect(byte == 1)
    }

    @Test("Bytes that nobody has checked are never read past their end", arguments: 0..<4 as Range<UInt64>)
    func uncheckedBytes(_ seed: UInt64) {
        var generator = Generator(state: seed &+ 12_000)
        let types = Array("ybnqiuxtdsoghav(){}".utf8)
        for number in 0..<1000 {
            let count = generator.pick(80)
            // Small lengths and type codes are what leads far into the bytes.
            let bytes = (0..<count).map { _ in
                switch generator.pick(4) {
                case 0: UInt8(truncatingIfNeeded: generator.next())
                case 1: UInt8(generator.pick(4))
                case 2: types[generator.pick(types.count)]
                default: 0 as UInt8
                }
            }
            let areInside = unsafe bytes.withUnsafeBytes { bytes in
                Self.areInside(unsafe WireBytes(bytes.baseAddress, count: bytes.count))
            }
            #expect(areInside, "Seed \(seed), bytes \(number): \(bytes)")
        }
    }

    private static func areInside(_ wire: WireBytes) -> Bool {
        func isInside(_ text: WireBytes.Text?) -> Bool {
            guard let text else { return true }
            return text.start >= 0 && text.count >= 0 && text.start + text.count <= wire.count
        }
        var areInside = true
        for offset in 0...(wire.count + 8) {
            areInside = areInside && isInside(wire.text(at: offset)) && isInside(wire.signature(at: offset))
            for type in "ytdv({".utf8 { areInside = areInside && isInside(wire.elements(at: offset, type: type)) }
            // A structure without fields ends after its padding.
            for type in stride(from: 0, to: wire.count, by: 3) {
                guard let end = wire.endOfValue(type: type, at: offset) else { continue }
                areInside = areInside && end <= WireBytes.align(max(wire.count, offset), to: 8)
            }
            areInside = areInside && wire.endOfType(at: offset) <= max(wire.count, offset)
            _ = wire.byte(at: offset)
        }
        return areInside
    }
}
