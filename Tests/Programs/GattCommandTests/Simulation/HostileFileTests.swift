import BlueZJSONLine
import BlueZScript
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import gatt

/// Files that nobody means well.
@Suite struct HostileFileTests {
    private func failure(_ data: Data) -> FileError? {
        do throws(FileError) {
            _ = try SimulationFile(data, path: "file")
            return nil
        } catch {
            return error
        }
    }

    @Test("Text that is no JSON is refused with the line of the error and the last key")
    func malformed() {
        let expected: [(String, Int, String)] = [
            ("", 1, "The file is empty"),
            (" \n\n", 1, "The file is empty"),
            ("{\n", 2, "Expected a key in quotation marks"),
            ("{\"name\": \"A\"\n\"mtu\": 23}", 2, "Expected a comma or } after the key \"name\", found \"\"\""),
            ("{\"name\":\n\n A}", 3, "Expected a value after the key \"name\", found \"A\""),
            ("{\"name\" \"A\"}", 1, "Expected a colon after the key \"name\""),
            ("{\"name\": \"A\",}", 1, "Remove the comma before } after the key \"name\""),
            ("{\"name\": \"A\nB\"}", 1, "found \"\\u{a}\""),
            ("{\"name\": \"A", 1, "Expected the end of a string"),
            ("{\"name\": \"\\x\"}", 1, "found \"x\""),
            ("{\"name\": \"\\ud800\"}", 1, "is half a character"),
            ("{\"name\": \"\\ud800\\u0041\"}", 1, "is half a character"),
            ("{\"name\": \"\\u12g4\"}", 1, "Expected a hexadecimal digit of \\u after the key \"name\", found \"g\""),
            ("{\"rssi\": -}", 1, "Expected a digit after the key \"rssi\", found \"}\""),
            ("{\"rssi\": 1.}", 1, "Expected a digit"),
            ("{\"rssi\": 1e+}", 1, "Expected a digit"),
            ("{\"rssi\": 01}", 1, "Expected a comma or } after the key \"rssi\", found \"1\""),
            ("{\"rssi\": nul}", 1, "Expected a value after the key \"rssi\", found \"n\""),
            ("{\"name\": \"A\"}\n{}", 2, "A second value follows"),
            ("{\"name\": \"A\"}\n]", 2, "Expected a value, found \"]\""),
            ("[]", 1, "Expected the file, which is an object"),
            ("\u{1b}[31m", 1, "Expected a value, found \"\\u{1b}\""),
            ("{\"name\": \"A\",\n\"mtu\": 23,\n\"name\": \"B\"}", 3, "has the key \"name\" twice, first in line 1"),
        ]
        for (text, line, message) in expected {
            let failure = failure(Data(text.utf8))
            #expect(failure?.line == line, "\(text)")
            #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "accepted"), not \(message)")
        }
    }

    @Test("Text that is not UTF-8 is refused with its line; a byte order mark is not")
    func encoding() {
        #expect(
            failure(Data("{\"name\":\n\"".utf8) + [0xC3, 0x28] + "\"}".utf8) == FileError(2, "The text is not UTF-8"))
        #expect(failure(Data([0xFF, 0xFE, 0x7B, 0, 0x7D, 0])) == FileError(1, "The text is not UTF-8"))
        #expect(failure(Data([0xEF, 0xBB, 0xBF]) + #"{"name": "\ud83d\ude00"}"#.utf8) == nil)
    }

    @Test("Deep nesting, huge numbers and long texts are refused in short messages")
    func extremes() {
        let count = 100_000
        func repeated(_ text: String) -> String { String(repeating: text, count: count) }
        let texts = [
            repeated("["), repeated("{\"a\":"), "{\"name\": " + repeated("[") + repeated("]") + "}",
            "{\"rssi\": " + repeated("9") + "}", "{\"rssi\": -1e" + repeated("9") + "}",
            "{\"name\": \"" + repeated("x") + "\"}", "{\"" + repeated("x") + "\": 1, \"name\": \"A\"}",
            "{\"name\": \"A\", \"services\": [" + repeated("{},") + "{}]}",
            "{\"name\": \"A\", \"services\": {" + (0..<count).map { "\"\($0)\":{}" }.joined(separator: ",") + "}}",
        ]
        for text in texts {
            let failure = failure(Data(text.utf8))
            #expect(failure?.line == 1, "\(text.prefix(40))")
            #expect((10...400).contains(failure?.message.utf8.count ?? 0), "\(text.prefix(40))")
        }
    }

    @Test("More peripherals or adapters than can be simulated, and an address given twice, name their lines")
    func crowds() {
        func crowd(_ key: String, _ count: Int) -> Data {
            Data(
                "{\"\(key)\": [\n\(Array(repeating: "{\"name\": \"A\"}", count: count).joined(separator: ",\n"))]}".utf8
            )
        }
        #expect(failure(crowd("peripherals", 300)) == nil)
        #expect(
            failure(crowd("peripherals", 20_000))
                == FileError(10_002, "peripherals.10000: There are more than 10000 peripherals"))
        #expect(failure(crowd("adapters", 20_000)) == FileError(18, "adapters.16: There are more than 16 adapters"))
        let twins = "[\n{\"name\": \"A\", \"address\": \"00:aa:02:00:00:02\"},\n{\"name\": \"B\"}]"
        #expect(
            failure(Data("{\"peripherals\": \(twins)}".utf8))
                == FileError(3, "peripherals.1: Another peripheral has the address 00:AA:02:00:00:02"))
    }

    @Test(
        "More attributes than there are handles are refused with the peripheral's line",
        arguments: [("\"handle\": 65535, ", 0), ("", 30_000)])
    func handles(first: String, count: Int) async throws {
        let characteristic = "{\"uuid\": \"FFE1\", \"properties\": [\"notify\"]}"
        let list = Array(repeating: characteristic, count: count).joined(separator: ",")
        let text = "{\"name\": \"A\", \"services\": [{\(first)\"uuid\": \"FFE0\", \"characteristics\": [\(list)]}]}"
        let file = try SimulationFile(Data("{\"peripherals\": [\n\(text)]}".utf8), path: "big.json")
        let failure = await #expect(throws: CommandFailure.self) {
            try await SimulatorActor.run { _ = try await FileSimulation(file) }
        }
        #expect(failure?.message == "big.json:2: The attributes of A need handles above 65534")
        #expect(failure?.status == .data)
    }

    @Test("A file with any byte changed, removed or doubled is accepted or refused, and nothing else happens")
    func mutations() {
        let text =
            Array(
                #"{"peripherals":[{"name":"A\n\u00e9","rssi":-5.0e1,"mtu":23,"services":[{"uuid":"FFE0","characteristics":["#
                    .utf8)
            + Array(
                #"{"uuid":"FFE1","properties":["write","notify"],"responses":[{"to":"04","value":"80{0}{}"}]}]}]}]}"#
                    .utf8)
        var random = SplitMix64(seed: 7)
        var refused = 0
        for round in 0..<3000 {
            var bytes = text
            for _ in 0...(round % 3) {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[place], at: place)
                }
            }
            guard let failure = failure(Data(bytes)) else { continue }
            refused += 1
            #expect(failure.line >= 1 && !failure.message.isEmpty)
        }
        #expect(refused > 1000)
    }
}
