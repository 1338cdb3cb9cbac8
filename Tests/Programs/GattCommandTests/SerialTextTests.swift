import BlueZSerial
import CoreBlueZ
import Foundation
import Testing

@testable import gatt

/// What is typed and shown.
struct SerialTextTests {
    private func lines(_ pieces: [String]) -> [String] {
        var input = LineInput()
        var lines = pieces.flatMap { input.append(Array($0.utf8)) }
        if let rest = input.finish() { lines.append(rest) }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "Lines are found in pieces of any size",
        arguments: [
            (["a\nb\n"], ["a", "b"]), (["a", "b\n", "c"], ["ab", "c"]), (["\n\n"], ["", ""]), ([], []),
            (["a\r\n"], ["a\r"]),
        ])
    func linesInPieces(pieces: [String], expected: [String]) {
        #expect(lines(pieces) == expected)
    }

    @Test("A line without an end does not fill the memory")
    func longLine() {
        var input = LineInput()
        let lines = input.append(repeatElement(0x41, count: LineInput.limit * 2 + 1))
        #expect(lines.map(\.count) == [LineInput.limit, LineInput.limit])
        #expect(input.finish()?.count == 1)
        #expect(input.finish() == nil)
    }

    @Test("The exit key ends, and what was typed before it still counts")
    func exitKey() {
        #expect(ExitKey.split([1, 2]).before == [1, 2])
        #expect(!ExitKey.split([1, 2]).isPressed)
        #expect(ExitKey.split([1, ExitKey.byte, 2]).before == [1])
        #expect(ExitKey.split([ExitKey.byte]).isPressed)
    }

    private func shown(_ pieces: [[UInt8]], _ style: SerialView.Style) -> String {
        var view = SerialView(style)
        var result = Data()
        for piece in pieces { result += view.show(Data(piece)) }
        return String(decoding: result + view.finish(), as: UTF8.self)
    }

    @Test(
        "Text is shown with every end of line, and without anything that a terminal obeys",
        arguments: [
            ("a\nb", "a\nb"), ("a\r\nb", "a\nb"), ("a\rb", "a\nb"), ("a\r\r\n\nb", "a\n\n\nb"),
            ("\u{1B}[31m", "\\u{1b}[31m"),
            ("\t°€😀", "\t°€😀"), ("\u{202E}x", "\\u{202e}x"),
        ])
    func text(sent: String, expected: String) {
        #expect(shown([Array(sent.utf8)], .text) == expected)
        // However it is cut.
        #expect(shown(sent.utf8.map { [$0] }, .text) == expected)
    }

    @Test(
        "Bytes that are no text are shown as numbers",
        arguments: [
            ([0xFF, 0x41] as [UInt8], "\\xffA"), ([0xE2, 0x82], "\\xe2\\x82"), ([0xE2, 0x41], "\\xe2A"),
            ([0xC3, 0xC3, 0xA9], "\\xc3é"), ([0x80], "\\x80"), ([0xF0, 0x9F, 0x98, 0x80], "😀"),
        ])
    func noText(bytes: [UInt8], expected: String) {
        #expect(shown([bytes], .text) == expected)
        #expect(shown(bytes.map { [$0] }, .text) == expected)
    }

    @Test("A dump counts on from piece to piece")
    func dump() {
        let rows = shown([Array(0x40..<0x51), [0x0A]], .hexadecimal).split(separator: "\n").map(String.init)
        #expect(
            rows == [
                "00000000  40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f  |@ABCDEFGHIJKLMNO|",
                "00000010  50                                               |P|",
                "00000011  0a                                               |.|",
            ])
    }

    @Test("Bytes are shown as they are")
    func bytes() {
        var view = SerialView(.bytes)
        #expect(view.show(Data([0xFF, 0x1B])) == Data([0xFF, 0x1B]))
        #expect(view.finish().isEmpty)
    }

    @Test("Devices are numbered as they come, and shown again when they tell their name")
    func list() throws {
        let first = try #require(BluetoothAddress("00:AA:02:00:00:01"))
        let second = try #require(BluetoothAddress("00:AA:02:00:00:02"))
        var list = DeviceList()
        #expect(list.add(first, name: nil, note: "") == "  1  00:AA:02:00:00:01    ")
        #expect(list.add(second, name: "Echo", note: "Nordic UART") == "  2  00:AA:02:00:00:02  Echo  Nordic UART")
        #expect(list.add(second, name: "Echo", note: "Nordic UART") == nil)
        #expect(list.add(first, name: nil, note: "") == nil)
        #expect(list.add(first, name: "Late", note: "") == "  1  00:AA:02:00:00:01  Late  ")
        #expect(list.device("1") == first)
        #expect(list.device(" 2 ") == second)
        for line in ["", "0", "3", "-1", "x", "99999999999999999999"] { #expect(list.device(line) == nil) }
    }

    @Test("A profile is named, or given by its UUIDs")
    func profiles() {
        #expect(SerialProfileChoice(argument: "nordic")?.profile == .nordic)
        #expect(SerialProfileChoice(argument: "HM10")?.profile == .hm10)
        let own = SerialProfileChoice(argument: "FFE0/FFE1/FFE2")?.profile
        #expect(own?.service == 0xFFE0)
        #expect(own?.write == 0xFFE1)
        #expect(own?.notify == 0xFFE2)
        for text in ["", "none", "FFE0", "FFE0/FFE1", "FFE0/FFE1/", "FFE0/FFE1/FFE2/FFE3", "FFE0/x/FFE2"] {
            #expect(SerialProfileChoice(argument: text) == nil)
        }
        #expect(Set(SerialProfileChoice.named.map(\.profile)) == Set(SerialProfile.all))
        let split = SerialProfileChoice(argument: "FFE5/FFE9,FFE0/FFE4")?.profile
        #expect([split?.service, split?.write, split?.notify] == [0xFFE5, 0xFFE9, 0xFFE4])
        #expect(split?.notifyService == 0xFFE0)
        #expect(SerialProfileChoice(argument: "FFE0/FFE1,FFE0/FFE2")?.profile?.notifyService == nil)
        for text in ["@3,@5", "@0x0003,FFE0/FFE4", "FFE0/FFE1,@18"] {
            #expect(SerialProfileChoice(argument: text) != nil)
        }
        for text in ["@3", "@3,", "@x,@5", "@3,@0", "@3,@5,@7", "FFE0,FFE4", "FFE0/FFE1/FFE2,@5"] {
            #expect(SerialProfileChoice(argument: text) == nil)
        }
    }

    @Test("--pty stands alone or with a link, whatever follows")
    func pseudoTerminal() throws {
        let words = [
            (["--pty"], ""), (["--pty", "Echo"], ""), (["--pty=uart", "Echo"], "uart"), (["Echo", "--pty"], ""),
        ]
        for (arguments, expected) in words {
            let command = try #require(try Gatt.parse(words: ["serial"] + arguments) as? SerialCommand)
            #expect(command.pseudoTerminal == expected)
            #expect(command.reconnects)
        }
        let other = try #require(try Gatt.parse(words: ["serial", "--", "--pty"]) as? SerialCommand)
        #expect(other.pseudoTerminal == nil)
        #expect(other.device == "--pty")
        #expect(throws: (any Error).self) { try Gatt.parse(words: ["serial", "--pty="]) }
        #expect(throws: (any Error).self) { try Gatt.parse(words: ["serial", "--pty", "--pty=uart"]) }
    }
}
