import Testing

@testable import BlueZScript

@Suite("Commands that do not exist") struct UnknownCommandTests {
    static let commands = ["scan", "info", "inspect", "read", "notify", "connect", "disconnect"]

    @Test(
        "Typing errors are understood",
        arguments: [
            ("reed", "read"), ("scna", "scan"), ("Scan", "scan"), ("notfy", "notify"), ("conect", "connect"),
            ("disconect", "disconnect"), ("insp", "inspect"), ("conn", "connect"),
        ])
    func slips(word: String, command: String) throws {
        let message = try #require(UnknownCommand.message(for: [word, "x"], commands: Self.commands))
        #expect(
            message.hasPrefix("There is no command \"\(word)\"; did you mean \"\(command)\"?\nCommands: scan, info,"))
        #expect(UnknownCommand.message(for: [word], commands: Self.commands, allowsOthers: true) == message)
    }

    @Test(
        "What resembles nothing gets the list alone, or is taken for something else",
        arguments: ["fly", "in", "x", "Strap"])
    func strange(word: String) throws {
        let message = try #require(UnknownCommand.message(for: [word], commands: Self.commands))
        #expect(message.hasPrefix("There is no command \"\(word)\"\nCommands: "))
        #expect(UnknownCommand.message(for: [word], commands: Self.commands, allowsOthers: true) == nil)
        #expect(UnknownCommand.message(for: ["help", word], commands: Self.commands, allowsOthers: true) == message)
    }

    @Test(
        "Commands, options and help are known",
        arguments: [[], ["read"], ["--version"], ["-h"], ["help"], ["help", "read"], ["help", "--help"]])
    func known(words: [String]) {
        #expect(UnknownCommand.message(for: words, commands: Self.commands) == nil)
    }

    @Test(
        "The distance counts typing errors",
        arguments: [
            ("", "", 0), ("", "ab", 2), ("ab", "", 2), ("read", "read", 0), ("raed", "read", 1), ("rd", "read", 2),
        ])
    func distance(one: String, other: String, slips: Int) {
        #expect(String.distance(one, other) == slips)
    }

    @Test("The list is broken into lines of a terminal")
    func list() throws {
        let many = (0..<40).map { "command\($0)" }
        let message = try #require(UnknownCommand.message(for: ["zzz"], commands: many))
        #expect(message.split(separator: "\n").allSatisfy { $0.count <= 78 })
        #expect(message.hasSuffix("command39"))
    }
}
