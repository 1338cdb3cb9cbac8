import BlueZDBus
import Testing

@testable import Gateway

@Suite struct LogTests {
    @Test("The gateway's log passes on nothing that a terminal would obey")
    func escaped() {
        #expect(log.handler is EscapingLogHandler)
    }
}
