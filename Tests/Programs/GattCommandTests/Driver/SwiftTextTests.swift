import ArgumentParser
import Testing

@testable import gatt

/// The text of Swift files.
@Suite struct SwiftTextTests {
    @Test(
        "A literal contains whatever it is made of",
        arguments: [
            ("Strap", #""Strap""#), ("", #""""#), (#"\(exit(1))"#, #""\\(exit(1))""#), (#"";}"#, #""\";}""#),
            ("\\", #""\\""#), ("a\nb\r\t\0", #""a\u{a}b\u{d}\u{9}\u{0}""#),
            ("\u{202e}\u{2028}", #""\u{202e}\u{2028}""#),
            ("é😀", #""é😀""#), ("\u{10FFFF}", #""\u{10ffff}""#), (##""#"##, ##""\"#""##),
        ])
    func literal(text: String, literal: String) {
        #expect(text.swiftLiteral == literal)
    }

    @Test("A comment has one line, and ends in time")
    func comment() {
        #expect("a\n}\u{1b}".swiftComment == #""a\u{a}}\u{1b}""#)
        #expect(String(repeating: "x", count: 300).swiftComment.count == 63)
    }

    @Test("Lines are broken where swift-format breaks them")
    func lines() {
        let long = String(repeating: "a", count: 90)
        var text = SwiftText()
        text.document(String(repeating: "word ", count: 30))
        text.function("func \(long)", ["_ value: Data", "completion: C"]) { $0.call(long, ["x: 1", "y: \(long)"]) }
        text.function("func f\(long)", [], " async throws(E)", result: "EventSequence<Data>") { $0.add("body") }
        text.property(long, "(@BluetoothActor (Data?, E?) -> Void)?")
        text.list("let names = ", ["\"\(long)\"", "\"b\"", "\"\(long)\""])
        text.list("let name = ", ["\"\(long)\(long)\""])
        let words = Array(repeating: "word", count: 23).joined(separator: " ")
        let expected = """
            /// \(words)
            /// word word word word word word word
            func \(long)(
                _ value: Data, completion: C
            ) {
                \(long)(
                    x: 1, y: \(long))
            }
            func f\(long)() async throws(E)
                -> EventSequence<Data>
            {
                body
            }
            var \(long):
                (@BluetoothActor (Data?, E?) -> Void)?
            let names = [
                "\(long)",
                "b",
                "\(long)",
            ]
            let name = [
                "\(long)\(long)"
            ]

            """
        #expect(text.text == expected)
    }

    @Test("NAME is a type's name", arguments: ["A", "Tag", "CC2541", String(repeating: "A", count: 40)])
    func name(text: String) throws {
        #expect(try DriverName(text).swiftFile == "\(text).swift")
    }

    @Test(
        "Another NAME is refused",
        arguments: ["", "tag", "1A", "A-B", "A B", "A_B", "Ä", "A/../B", "A\n", "Self", "Service", "Data"]
            + [String(repeating: "A", count: 41)])
    func wrongName(text: String) {
        #expect(throws: ValidationError.self) { try DriverName(text) }
    }
}
