import Testing

@testable import BlueZScript

@Suite("The beginning of programs") struct ProgramTests {
    @Test("Without even a name the arguments are unknown: the message names /proc")
    func arguments() throws {
        let failure = try #require(Program.failure(of: []))
        #expect(failure.status == .system)
        #expect(failure.message.contains("/proc"))
        #expect(Program.failure(of: ["gatt"]) == nil)
    }
}
