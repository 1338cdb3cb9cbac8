import CoreBlueZ
import Foundation
import Testing

@testable import gatt

@Suite("Where a reply ends") struct ReplyEndTests {
    /// How many bytes the reply has once these pieces have arrived, each followed by the next at once; a nil is a pause.
    @BluetoothActor private func length(_ pieces: [String?], _ isLast: @escaping (String, Int) -> Bool) -> Int? {
        let end = ReplyEnd(isLast)
        end.begin()
        var received = Data()
        for piece in pieces {
            received += Data((piece ?? "").utf8)
            if let length = end.length(received, isPause: piece == nil) { return length }
        }
        return nil
    }

    @Test(
        "The first line that the pattern matches is the last one",
        arguments: [
            (["ACME\r\nOK\r\n"], 10), (["ACME\r\nOK\r", "\n"], 10), (["ACME\nOK\nmore"], 8), (["OKAY\r\n", nil], nil),
            (["OK", "AY\r\nOK\r\n"], 10), (["OK\rmore"], 3), (["OK\r"], nil), (["OK\r", nil], 3),
            (["O", nil, "K", nil], 2),
            (["\r\n\r\nOK\r\n"], 8), ([], nil), ([nil], nil),
        ] as [([String?], Int?)])
    func pattern(pieces: [String?], expected: Int?) async throws {
        let pattern = try #require(ReplyPattern(argument: "^(OK|ERROR)$"))
        #expect(await length(pieces) { line, _ in pattern.matcher(line) } == expected)
    }

    @Test(
        "Lines are counted without the empty ones",
        arguments: [
            (["\r\na\r\n\r\nb\r\nc\r\n"], 10), (["a\r", "\nb\r\n"], 6), (["a\nb", nil], 3), (["a\n", nil], nil),
            (["a", nil, "b\nc\n"], 5),
        ] as [([String?], Int?)])
    func count(pieces: [String?], expected: Int?) async {
        #expect(await length(pieces) { _, number in number >= 2 } == expected)
    }

    @Test("A pattern may match anywhere in a line, and what is no pattern is refused")
    func patterns() throws {
        let pattern = try #require(ReplyPattern(argument: "[0-9]+ mV"))
        #expect(pattern.matcher("+CBC: 3700 mV"))
        #expect(!pattern.matcher("+CBC: mV"))
        #expect(ReplyPattern(argument: "(") == nil)
        #expect(ReplyPattern(argument: "") == nil)
    }

    @Test("Another reply begins anew")
    @BluetoothActor func again() {
        let end = ReplyEnd { _, number in number >= 2 }
        #expect(end.length(Data("a\nb\n".utf8), isPause: false) == 4)
        end.begin()
        #expect(end.length(Data("a\n".utf8), isPause: false) == nil)
    }
}
