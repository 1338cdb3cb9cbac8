import Testing

@testable import BlueZDBus

/// Messages from a peer whose machine has the other byte order.
@Suite struct ByteOrderTests {
    @Test("Arguments in either byte order are read the same", arguments: WireEncoder.Order.allCases)
    func arguments(_ order: WireEncoder.Order) throws {
        for value in ValueTests.values + [.double(.nan)] {
            let values: [Value] = [.byte(1), value, .string("end")]
            let message = try #require(Message.received(WireEncoder.signal(values, order)))
            var reader = message.reader
            let read = try reader.readRemainingValues()
            #expect(Value.areIdentical(read, values))
        }
    }

    @Test("Random messages in the other byte order are read the same", arguments: 0..<4 as Range<UInt64>)
    func random(_ seed: UInt64) throws {
        var generator = FuzzTests.Generator(state: seed &+ 9000)
        for number in 0..<250 {
            let values = generator.arguments()
            let message = try #require(Message.received(WireEncoder.signal(values, .foreign)))
            var reader = message.reader
            let read = try reader.readRemainingValues()
            #expect(Value.areIdentical(read, values), "Seed \(seed), message \(number)")
        }
    }

    @Test("The header in either byte order is read the same", arguments: WireEncoder.Order.allCases)
    func header(_ order: WireEncoder.Order) throws {
        for values: [Value] in [[], [.bytes([1, 2])]] {
            let message = try #require(Message.received(WireEncoder.signal(values, order)))
            #expect(message.path?.string == "/org/example/object")
            #expect(message.isSignal("org.example.A", "B"))
            #expect(!message.isSignal("org.example.A", "C") && !message.isSignal("org.example.B", "B"))
            #expect(message.interface == "org.example.A" && message.member == "B" && message.sender == ":1.5")
            #expect(message.senderText?.string == ":1.5")
            #expect(message.serial == 7 && message.kind == .signal)
            let bytes = try? message.firstBytes()
            #expect(bytes.map(Array.init) == (values.isEmpty ? nil : [1, 2]))
            var reader = message.reader
            let read = try reader.readRemainingValues()
            #expect(read == values)
        }
    }

    @Test("What was read first does not change what is read later")
    func mixed() throws {
        let message = try #require(Message.received(WireEncoder.signal([.uint32(0x0102_0304)], .foreign)))
        #expect(message.signature == "u")
        #expect(throws: DBusError.self) { try message.firstBytes() }
        var reader = message.reader
        #expect(message.path?.string == "/org/example/object")
        let value = try reader.readUInt32()
        #expect(value == 0x0102_0304)
    }
}
