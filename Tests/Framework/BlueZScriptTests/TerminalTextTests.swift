import BlueZPrintableText
import Testing

@Suite("Text of devices is safe for terminals") struct TerminalTextTests {
    @Test(
        "Control and format characters are escaped",
        arguments: [
            ("SensorTag", "SensorTag"), ("Küche 1 🌡", "Küche 1 🌡"), ("\u{1B}[2J", "\\u{1b}[2J"), ("a\nb", "a\\u{a}b"),
            ("\u{7F}\u{9B}", "\\u{7f}\\u{9b}"), ("\u{202E}gaT", "\\u{202e}gaT"), ("\u{2028}", "\\u{2028}"),
        ])
    func escapes(text: String, escaped: String) {
        #expect(text.escapedForTerminal() == escaped)
    }

    @Test("Line breaks of our own messages stay")
    func lines() {
        #expect("a\n\u{7}".escapedForTerminal(keepingLineBreaks: true) == "a\n\\u{7}")
    }
}
