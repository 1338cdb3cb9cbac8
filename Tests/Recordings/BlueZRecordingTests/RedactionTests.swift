import BlueZValues
import Foundation
import Testing

@testable import BlueZRecording

@Suite("Redaction and selection") struct RedactionTests {
    private static let secret = "C3:A1:B2:93:D4:E5"
    private static let name = "Anna's Watch"
    private static let serial = "SN-778123"

    /// A recording that repeats its secrets in all spellings.
    private static func lines() throws -> [String] {
        let address = try #require([UInt8](hexadecimal: "c3a1b293d4e5"))
        func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
        let spelled = [
            secret, secret.lowercased(), secret.replacing(":", with: "_"), secret.replacing(":", with: "-"),
            secret.replacing(":", with: ""), "E5:D4:93:B2:A1:C3", "e5d493b2a1c3",
        ]
        let base64 = (0..<3).flatMap { shift in
            [address, address.reversed()].map { bytes in
                Data([UInt8](repeating: 1, count: shift) + bytes + [9]).base64EncodedString()
            }
        }
        let texts = spelled + base64 + [name, name.uppercased(), hexadecimal(Array(name.utf8)), serial]
        let head = #"{"t":0,"event":"database","device":"\#(secret)","services":["#
        let notes = texts.map { #"{"t":3,"event":"note","kind":"x","text":"see /org/bluez/dev_\#($0)/service0001"}"# }
        let values = texts.map {
            #"{"t":3,"event":"value","device":"\#(secret)","handle":9,"by":"signal","#
                + #""value":"01\#(hexadecimal(Array($0.utf8)))02"}"#
        }
        return [
            // Before it is known what handle 3 is.
            #"{"t":0,"event":"request","n":1,"op":"read","device":"\#(secret)","handle":3}"#,
            #"{"t":0,"event":"response","n":1,"value":"\#(hexadecimal(Array(serial.utf8)))"}"#,
            head
                + #"{"uuid":"180A","handle":1,"characteristics":[{"uuid":"2A25","handle":2,"properties":["read"]}]}]}"#,
            #"{"t":1,"event":"adapter","adapter":"hci0","address":"00:1B:DC:07:32:11"}"#,
            #"{"t":1,"event":"heard","device":"\#(secret)","addressType":"random","name":"\#(name)","#
                + #""services":["0000FEAA-0000-1000-8000-C3A1B293D4E5"],"manufacturer":{"004C":"00\#(hexadecimal(address))01"},"#
                + #""structures":{"1B":"00\#(hexadecimal(address.reversed()))"}}"#,
            #"{"t":2,"event":"device","device":"\#(secret)","name":"\#(name)","alias":"\#(name)"}"#,
            #"{"t":2,"event":"value","device":"\#(secret)","handle":9,"by":"signal","#
                + #""value":"00\#(hexadecimal(address.reversed()))00"}"#,
            #"{"t":2,"event":"future","secret":"\#(secret)"}"#,
        ] + notes + values
    }

    private static func redacted(hidesValues: Bool = false) throws -> [RecordedEvent] {
        let all = try events(lines())
        var secrets = Secrets()
        for event in all + all { try secrets.add(event) }
        var redaction = Redaction(secrets, hidesValues: hidesValues)
        return all.compactMap { redaction.redacting($0) }
    }

    @Test("No spelling of an address, a name or a serial number remains") func spellings() throws {
        let events = try Self.redacted()
        var text = events.map { String(decoding: $0.line, as: UTF8.self) }.joined(separator: "\n").lowercased()
        // What the values contain as text.
        for event in events {
            guard case .value(let value) = event.content else { continue }
            text += String(decoding: value.value, as: UTF8.self).lowercased() + "\n"
        }
        let address = try #require([UInt8](hexadecimal: "c3a1b293d4e5"))
        for bytes in [address, address.reversed()] {
            for separator in [":", "_", "-", ""] {
                #expect(!text.contains(bytes.map { String(format: "%02x", $0) }.joined(separator: separator)))
            }
            for shift in 0..<3 {
                let digits = Data([UInt8](repeating: 1, count: shift) + bytes + [9]).base64EncodedString().lowercased()
                #expect(!text.contains(digits.dropFirst(2).prefix(6)))
            }
        }
        for secret in [Self.name, Self.serial] {
            #expect(!text.contains(secret.lowercased()))
            #expect(!text.contains(secret.utf8.map { String(format: "%02x", $0) }.joined()))
        }
        #expect(!text.contains("00:1b:dc:07:32:11"))
        #expect(!text.contains("future"))
    }

    @Test("An alias that was set, a broadcast name, a UUID's beginning and a filter's pattern are redacted too")
    func others() throws {
        let name = Self.name.utf8.map { String(format: "%02x", $0) }.joined()
        let all = try events([
            #"{"t":0,"event":"request","n":1,"op":"set","device":"00:00:0C:01:02:03","#
                + #""setting":{"property":"Alias","value":"My pump"}}"#,
            #"{"t":0,"event":"request","n":2,"op":"filter","setting":{"Pattern":"My p"}}"#,
            #"{"t":1,"event":"heard","device":"\#(Self.secret)","addressType":"random","#
                + #""services":["C3A1B293-D4E5-1000-8000-00805F9B34FB"],"structures":{"30":"\#(name)"}}"#,
            #"{"t":1,"event":"note","kind":"x","text":"my pump"}"#,
        ])
        var secrets = Secrets()
        for event in all + all { try secrets.add(event) }
        for hidesValues in [false, true] {
            var redaction = Redaction(secrets, hidesValues: hidesValues)
            let text = all.compactMap { redaction.redacting($0) }.map { String(decoding: $0.line, as: UTF8.self) }
                .joined(separator: "\n").lowercased()
            for part in ["pump", "my p", "00:00:0c", "c3a1b293", name] { #expect(!text.contains(part), "\(text)") }
        }
    }

    @Test("A redacted address is always the same, of the same kind") func consistent() throws {
        let devices = Set(try Self.redacted().compactMap(\.device))
        #expect(devices.count == 1)
        #expect(devices.first?.isStaticRandom == true)
    }

    @Test("Values keep their length, and are zeros on request") func values() throws {
        let original = try events(Self.lines())
        let hidden = try Self.redacted(hidesValues: true)
        var lengths: [[Int]] = []
        for events in [original, hidden] {
            lengths.append(
                events.compactMap { event in
                    if case .value(let value) = event.content { value.value.count } else { nil }
                })
        }
        #expect(lengths[0] == lengths[1])
        for case .value(let value) in hidden.map(\.content) { #expect(value.value.allSatisfy { $0 == 0 }) }
    }

    /// A search that tries each secret at each place.
    private static func replaced(_ text: [UInt8], _ secrets: SecretBytes) -> [UInt8] {
        var (result, position) = (text, 0)
        while position < text.count {
            let rest = Array(text[position...])
            let lowercase = rest.map(SecretBytes.lowercase)
            let exact = secrets.exact.filter { rest.starts(with: $0.key) }.max { $0.key.count < $1.key.count }
            let folded = secrets.folded.filter { lowercase.starts(with: $0.key) }.max { $0.key.count < $1.key.count }
            let found = (folded?.key.count ?? 0) > (exact?.key.count ?? 0) ? folded : exact
            if let found { result.replaceSubrange(position..<position + found.key.count, with: found.value) }
            position += found?.key.count ?? 1
        }
        return result
    }

    @Test("The longest secret at each place is replaced, in any mixture of secrets and beginnings of them")
    func longest() {
        for _ in 0..<200 {
            func text(_ range: ClosedRange<Int>) -> [UInt8] {
                (0..<Int.random(in: range)).map { _ in Array("aAbB".utf8).randomElement() ?? 0 }
            }
            var secrets = SecretBytes()
            for _ in 0..<Int.random(in: 1...12) {
                let secret = text(3...9)
                secrets.add(text: secret, replacement: secret.map { _ in UInt8.random(in: 0x30...0x39) })
            }
            let search = SecretSearch(secrets)
            for _ in 0..<20 {
                let value = text(0...60)
                #expect(search.replacing(value) == Self.replaced(value, secrets))
            }
        }
    }

    @Test(
        "Names of many lengths and values made of their beginnings take no longer than others",
        .timeLimit(.minutes(1)))
    func manyLengths() throws {
        var secrets = Secrets()
        for number in 0..<200 {
            let data = String(repeating: "a", count: 1000 + number)
            var report = RecordedAdvertisement(
                device: BluetoothAddress(bits: 0xC0 << 40 | UInt64(number)), addressType: .random)
            report.data.localName = data
            try secrets.add(RecordedEvent(time: 0, .heard(report)))
        }
        var redaction = Redaction(secrets, hidesValues: false)
        let value = [[UInt8]](repeating: [UInt8](repeating: 0x61, count: 999) + [0x62], count: 40).flatMap(\.self)
        let device = BluetoothAddress(bits: 0xC0 << 40)
        let event = RecordedEvent(time: 1, .value(RecordedValue(device: device, handle: 3, value: value, by: .signal)))
        for _ in 0..<3 {
            guard case .value(let redacted)? = redaction.redacting(event)?.content else {
                Issue.record("no value")
                return
            }
            #expect(redacted.value == value)
        }
    }

    @Test("More bytes of names than a mebibyte are too many") func tooLong() throws {
        var secrets = Secrets()
        #expect(throws: Secrets.TooMany.self) {
            for number in 0..<3 {
                var device = RecordedDevice(device: BluetoothAddress(bits: 0xC0 << 40 | 1))
                device.alias = String(repeating: "a", count: 400_000 + number)
                try secrets.add(RecordedEvent(time: 0, .device(device)))
            }
        }
    }

    @Test("Too many secrets are an error") func tooMany() throws {
        var secrets = Secrets()
        #expect(throws: Secrets.TooMany.self) {
            for number in UInt64(1)...51_000 {
                // The first stand for links, and are fast to add.
                let address = BluetoothAddress(bits: number < 49_000 ? number : number << 32)
                try secrets.add(RecordedEvent(time: 0, .connected(RecordedConnection(device: address))))
            }
        }
    }

    @Test("One device's events, with those of none") func filter() throws {
        let lines = [
            #"{"t":0,"event":"adapter","adapter":"hci0"}"#,
            #"{"t":0,"event":"request","n":1,"op":"read","device":"C0:01:02:03:04:05","handle":3}"#,
            #"{"t":0,"event":"request","n":2,"op":"read","device":"C0:01:02:03:04:06","handle":3}"#,
            #"{"t":0,"event":"request","n":3,"op":"discover"}"#, #"{"t":0,"event":"response","n":1,"value":"01"}"#,
            #"{"t":0,"event":"response","n":2,"value":"02"}"#, #"{"t":0,"event":"response","n":3}"#,
            #"{"t":0,"event":"connected","device":"C0:01:02:03:04:06"}"#, #"{"t":0,"event":"later"}"#,
        ]
        var filter = DeviceFilter(try #require(BluetoothAddress("C0:01:02:03:04:05")))
        let kept = try zip(0..., events(lines)).filter { filter.keeps($1) }.map(\.0)
        #expect(kept == [0, 1, 3, 4, 6])
    }
}
