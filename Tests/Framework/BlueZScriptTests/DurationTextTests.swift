import BlueZPrintableText
import Testing

@Suite("Durations in messages are rounded") struct DurationTextTests {
    @Test(
        "Thousandths of a second are shown, and tenths from one second on",
        arguments: [
            (.zero, "0 seconds"), (.milliseconds(5), "0.005 seconds"), (.milliseconds(300), "0.3 seconds"),
            (.seconds(1), "1 second"), (.milliseconds(1500), "1.5 seconds"), (.milliseconds(999), "0.999 seconds"),
            (.seconds(0.9996), "1 second"), (.seconds(2.999), "3 seconds"), (.seconds(9.9995841), "10 seconds"),
            (.seconds(44.97), "45 seconds"), (.seconds(12.34), "12.3 seconds"),
            (.seconds(3600), "3600 seconds"),
        ] as [(Duration, String)])
    func text(duration: Duration, text: String) {
        #expect(duration.roundedText == text)
    }
}
