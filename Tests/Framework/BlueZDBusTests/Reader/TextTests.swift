import Testing

@testable import BlueZDBus

/// `firstBytes`, and texts that are compared where they are.
@Suite struct TextTests {
    @Test("The first argument is read as bytes", arguments: [0, 1, 3, 70_000])
    func firstBytes(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        for rest: [Value] in [[], [.bytes([4])], [.properties(["A": .byte(1)])]] {
            let message = try FuzzTests.message([.bytes(bytes)] + rest)
            for _ in 0..<2 { #expect(try Array(message.firstBytes()) == bytes) }
        }
    }

    @Test(
        "A first argument of another type is an error",
        arguments: [
            [], [.byte(1)], [.string("ay")], [.strings(["a"])], [.array(elements: "b", [.boolean(true)])],
            [.array(elements: "ay", [.bytes([1])])], [.array(elements: "(y)", [])], [.variant(.bytes([1]))],
            [.dictionary(key: "y", value: "y", [.byte(1): .byte(2)])], [.byte(1), .bytes([1])],
            [.structure([.bytes([1])])],
        ] as [[Value]])
    func noFirstBytes(_ values: [Value]) throws {
        let message = try FuzzTests.message(values)
        let error = #expect(throws: DBusError.self) { try message.firstBytes() }
        #expect(error?.name == DBusError.Name.invalidArguments)
        var reader = message.reader
        let read = try reader.readRemainingValues()
        #expect(read == values)
    }

    @Test("A message that was not written to its end has no first bytes")
    func spoiled() throws {
        let message = try Message.signal(path: .root, interface: "a.b", member: "C")
        #expect(throws: DBusError.self) {
            try message.write { (writer) throws(DBusError) in
                try writer.append([1, 2])
                throw .invalidArguments("Enough")
            }
        }
        #expect(throws: DBusError.self) { try message.firstBytes() }
    }

    private static func text(_ string: String) throws -> MessageText {
        var reader = try FuzzTests.message([.byte(1), .string(string)]).reader
        reader.skip()
        return try reader.readText()
    }

    private static let strings = [
        "", "A", "B", "AB", "ABC", "ABD", "abc", "\u{E9}", "e\u{301}", "温度", "🌡", "org.bluez.Device1",
        "org.bluez.Device2", String(repeating: "x", count: 3000), String(repeating: "x", count: 3001),
    ]

    @Test("A text equals the string of the same bytes only", arguments: strings.indices)
    func equality(_ index: Int) throws {
        let text = try Self.text(Self.strings[index])
        #expect(text.string.utf8.elementsEqual(Self.strings[index].utf8))
        for (other, string) in Self.strings.enumerated() {
            #expect((text == string) == (other == index))
            #expect((string ~= text) == (other == index))
        }
    }

    @Test("A text is compared with literals")
    func literals() throws {
        func number(_ text: MessageText) -> Int {
            switch text {
            case "A": 1
            case "AB": 2
            case "温度": 3
            case "": 4
            default: 0
            }
        }
        #expect(try ["A", "AB", "温度", "", "B", "ABC", "温"].map { number(try Self.text($0)) } == [1, 2, 3, 4, 0, 0, 0])
        #expect(try Self.text("A") == ("A" as StaticString))
        #expect(try !(Self.text("A") == ("B" as StaticString)))
        #expect(try !(Self.text("") == ("B" as StaticString)))
    }
}
