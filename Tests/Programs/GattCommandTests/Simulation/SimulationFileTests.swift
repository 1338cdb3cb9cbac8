import BlueZJSONLine
import BlueZSimulator
import Foundation
import Testing

@testable import gatt

/// What `gatt simulate` says about files that are wrong.
@Suite struct SimulationFileTests {
    private func failure(_ text: String) -> FileError? {
        do throws(FileError) {
            _ = try SimulationFile(Data(text.utf8), path: "file")
            return nil
        } catch {
            return error
        }
    }

    /// A file of a single line each for: the file, the peripheral, its service, its characteristic.
    private func file(
        _ peripheral: String = "", service: String = "", characteristic: String = "", root: String = ""
    ) -> String {
        """
        {\(root)"peripherals": [
        {\(peripheral)"name": "A", "services": [
        {\(service)"uuid": "FFE0", "characteristics": [
        {\(characteristic)"uuid": "FFE1", "properties": ["read", "write", "notify"]}]}]}]}
        """
    }

    @Test("A file with every key is accepted")
    func everything() throws {
        let text = """
            {"instant": true, "adapters": [{"address": "00:AA:01:00:00:42", "name": "first", "powered": false}],
             "peripherals": [{"name": "A", "address": "00:AA:02:00:00:01", "addressType": "random", "rssi": -50,
              "mtu": 64, "appearance": 833, "txPower": 4, "advertisedServices": ["180D"],
              "manufacturerData": {"0x000D": "0102"}, "serviceData": {"180F": "64"}, "connectable": false,
              "extended": true, "advertisements": {"interval": 5, "repeat": false, "values": [{"name": "B",
               "appearance": 834, "txPower": 5, "advertisedServices": [], "manufacturerData": {}, "serviceData": {}}]},
              "appearsAfter": 1, "disconnectsAfter": 2.5e1,
              "refusesConnections": false, "presence": {"seconds": 30, "away": 10, "repeat": false},
              "pairing": {"io": "display-only", "passkey": 42, "accepts": true, "confirms": true},
              "serial": {"profile": "nordic", "properties": ["write"], "behaviour": "responses", "delay": 0,
               "interval": 0, "fragment": 3, "random": false, "joined": false,
               "responses": [{"text": "AT", "texts": ["OK"]}, {"value": "01", "values": ["02"]}],
               "unsolicited": {"values": ["00"], "texts": ["tick"], "interval": 1, "repeat": false}},
              "services": [{"uuid": "FFE0", "primary": false, "handle": 64, "characteristics": [
               {"uuid": "FFE1", "properties": ["read", "write", "notify"], "value": "00", "handle": 70,
                "encrypted": true, "authenticated": null, "readError": 1, "writeError": 255, "delay": 0.5,
                "notifications": {"values": ["01"], "interval": 1, "repeat": false},
                "responses": [{"to": "04", "value": "80{0}01", "on": "FFE1", "delay": 0.1}, {"to": "", "text": "x"}],
                "descriptors": [{"uuid": "2901", "text": "A", "writable": true}]}]}]}]}
            """
        let file = try SimulationFile(Data(text.utf8), path: "file")
        let peripheral = try #require(file.peripherals.first)
        #expect(peripheral.presence?.stay == .seconds(30))
        let responses = peripheral.specification.services.last?.characteristics.first?.responses
        #expect(
            responses == [
                WriteResponse(
                    to: [4], parts: [.bytes([0x80]), .writtenByte(0), .bytes([1])], on: 0xFFE1,
                    after: .milliseconds(100)),
                WriteResponse(to: [], [0x78]),
            ])
    }

    @Test(
        "Hexadecimal values are written as for gatt write",
        arguments: ["01ff", "01FF", "0x01ff", "0X01FF", "01 ff", "01:FF", "01-ff"])
    func hexadecimal(value: String) throws {
        let text = file(characteristic: #""value": "\#(value)", "responses": [{"to": "\#(value)", "text": "x"}], "#)
        let read = try SimulationFile(Data(text.utf8), path: "file")
        let characteristic = try #require(read.peripherals.first?.specification.services.last?.characteristics.first)
        #expect(characteristic.value == [1, 0xFF])
        #expect(characteristic.responses == [WriteResponse(to: [1, 0xFF], [0x78])])
        #expect(try ValueFormat.bytes(hex: value) == Data([1, 0xFF]))
    }

    @Test("An unknown key is refused at each level, with its line and what was meant")
    func unknownKeys() {
        let expected: [(String, Int, String)] = [
            (
                file(root: #""people": 1, "#), 1,
                #"the file has no key "people"; its keys are adapters, peripherals"#
            ),
            (#"{"perpherals": []}"#, 1, #"the file has no key "perpherals"; did you mean "peripherals"?"#),
            (file(root: #""adapters": [{"power": 1}], "#), 1, #"adapters.0: an adapter has no key "power"; did you"#),
            (file(#""rsi": 1, "#), 2, #"peripherals.0: a peripheral has no key "rsi"; did you mean "rssi"?"#),
            (file(#""pairing": {"io": "none", "pin": 1}, "#), 2, #"peripherals.0.pairing: pairing has no key "pin""#),
            (
                file(#""advertisements": {"values": [{"interval": 1}]}, "#), 2,
                #"advertisements.values.0: an advertisement has no key "interval"; its keys are name, appearance"#
            ),
            (file(#""presence": {"second": 1}, "#), 2, #"presence has no key "second"; did you mean "seconds"?"#),
            (file(#""serial": {"profil": 1}, "#), 2, #"peripherals.0.serial: serial has no key "profil"; did you"#),
            (file(service: #""name": 1, "#), 3, #"peripherals.0.services.0: a service has no key "name""#),
            (
                file(characteristic: #""notification": 1, "#), 4,
                #"peripherals.0.services.0.characteristics.0: a characteristic has no key "notification"; did you mean"#
            ),
            (file(characteristic: #""notifications": {"every": 1}, "#), 4, #"notifications has no key "every""#),
            (file(characteristic: #""descriptors": [{"uid": 1}], "#), 4, #"descriptors.0: a descriptor has no key"#),
            (file(characteristic: #""responses": [{"from": 1}], "#), 4, #"responses.0: a response has no key "from""#),
            ("{\"name\": \"A\",\n \"services\": [],\n \"servises\": []}", 3, #"did you mean "services"?"#),
        ]
        for (text, line, message) in expected {
            let failure = failure(text)
            #expect(failure?.line == line, "\(text)")
            #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "accepted")")
        }
    }

    @Test("A wrong value is refused with its line and key")
    func wrongValues() {
        let expected: [(String, Int, String)] = [
            (file(root: #""instant": 1, "#), 1, "instant: Expected true or false, found 1"),
            (file(#""address": "00:AA", "#), 2, "peripherals.0.address: Expected an address of six pairs of digits"),
            (file(#""rssi": 1e999, "#), 2, "peripherals.0.rssi: Expected a whole number from -127 to 20, found 1e999"),
            (file(#""mtu": 22.5, "#), 2, "peripherals.0.mtu: Expected a whole number from 23 to 517, found 22.5"),
            (file(#""disconnectsAfter": -1, "#), 2, "disconnectsAfter: Expected a time from 0 to 1e9 seconds"),
            (file(#""presence": {"seconds": 0, "away": 1}, "#), 2, "presence.seconds: Expected a time from 0.01"),
            (file(#""presence": {"seconds": 1}, "#), 2, #"peripherals.0.presence: "away" is missing"#),
            (file(#""manufacturerData": {"x": "00"}, "#), 2, #"manufacturerData."x": The key is not a company"#),
            (file(#""serviceData": {"181": "00"}, "#), 2, #"serviceData."181": The key is not a UUID of 4, 8 or 32"#),
            (file(#""serviceData": {"181A": "0"}, "#), 2, #"serviceData."181A": Expected pairs of hexadecimal"#),
            (file(#""advertisements": {}, "#), 2, #"peripherals.0.advertisements: "values" is missing"#),
            (
                file(#""advertisements": {"values": [], "interval": 0}, "#), 2,
                "advertisements.interval: Expected a time from 0.01"
            ),
            (
                file(#""advertisements": {"values": [{}, {"name": 1}]}, "#), 2,
                "peripherals.0.advertisements.values.1.name: Expected text in quotation"
            ),
            (file(#""advertisedServices": ["180D", 1], "#), 2, "advertisedServices.1: Expected text in quotation"),
            (file(#""pairing": {"io": "telepathy"}, "#), 2, "pairing.io: Expected one of none, display-only"),
            (file(#""serial": {"profile": "usb"}, "#), 2, "serial.profile: Expected one of nordic, issc"),
            (file(service: #""handle": 65536, "#), 3, "services.0.handle: Expected a whole number from 1 to 65535"),
            (file(characteristic: #""value": "abc", "#), 4, "characteristics.0.value: Expected pairs of"),
            (file(characteristic: #""readError": 0, "#), 4, "Expected a whole number from 1 to 255, found 0"),
            (file(characteristic: #""value": "00", "text": "x", "#), 4, "text: Give either value or this"),
            (file(characteristic: #""descriptors": [{"uuid": "xyz"}], "#), 4, "uuid: Expected a UUID of 4, 8 or"),
            (
                file(characteristic: #""text": "\#(String(repeating: "x", count: 513))", "#), 4,
                "The value has 513 bytes; the limit is 512"
            ),
            (#"{"name": "\u0000"}"#, 1, "name: The name has the character U+0000"),
        ]
        for (text, line, message) in expected {
            let failure = failure(text)
            #expect(failure?.line == line, "\(text)")
            #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "accepted"), not \(message)")
        }
    }

    @Test("An advertisement that is too long is refused with its length and place")
    func longAdvertisements() {
        let long = #""manufacturerData": {"0001": "\#(String(repeating: "00", count: 28))"}"#
        let misfit =
            "The advertisement has 38 bytes, which don't fit into a packet and a scan response of 31 bytes each"
        let longer = #""manufacturerData": {"0001": "\#(String(repeating: "00", count: 242))"}"#
        let expected: [(String, Int, String?)] = [
            (file(long + ", "), 2, "peripherals.0: " + misfit + "; shorten it, or make it extended"),
            (file(long + #", "extended": true, "#), 2, nil),
            (
                file(longer + #", "extended": true, "#), 2,
                "peripherals.0: The advertisement has 252 bytes; the limit is 251"
            ),
            (
                file("\"advertisements\": {\"values\": [\n{},\n{\(long)}]}, "), 4,
                "peripherals.0.advertisements.values.1: " + misfit
            ),
            ("{\"name\": \"\(String(repeating: "x", count: 30))\"}", 1, "The advertisement has 35 bytes"),
        ]
        for (text, line, message) in expected {
            let failure = failure(text)
            guard let message else {
                #expect(failure == nil)
                continue
            }
            #expect(failure?.line == line, "\(text)")
            #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "accepted"), not \(message)")
        }
    }

    @Test("An advertisement of a list has the peripheral's own data for what it doesn't say")
    func advertisements() throws {
        let text = """
            {"name": "A", "appearance": 833, "serviceData": {"FCD2": "40", "181A": "01"},
             "advertisements": {"values": [{"serviceData": {"FCD2": "4001"}}, {"name": "B"}, {"name": ""}, {}]}}
            """
        let peripheral = try #require(SimulationFile(Data(text.utf8), path: "file").peripherals.first)
        let own = AdvertisementData(
            localName: "A", serviceData: [0xFCD2: [0x40], 0x181A: [1]], appearance: 833)
        var expected = [own, own, own, own]
        expected[0].serviceData = [0xFCD2: Data([0x40, 1])]
        expected[1].localName = "B"
        expected[2].localName = nil
        #expect(peripheral.specification.advertisement == own)
        #expect(peripheral.specification.advertisements == AdvertisementSeries(expected))
        // What is written is read as the same.
        let again = try SimulationFile(Data(peripheral.text.utf8), path: "file").peripherals.first
        #expect(again?.specification == peripheral.specification)
    }

    @Test("A peripheral without a name advertises none")
    func nameless() throws {
        for text in [#"{"rssi": -60}"#, #"{"name": ""}"#] {
            let peripheral = try #require(SimulationFile(Data(text.utf8), path: "file").peripherals.first)
            #expect(peripheral.specification == PeripheralSpecification(address: "00:AA:02:00:00:01"))
            #expect(peripheral.specification.advertisement.localName == nil)
        }
    }

    @Test("A response that can't be sent is refused with its line")
    func impossibleResponses() {
        let expected = [
            (#"{"to": "04", "value": "00", "on": "FFE2"}"#, "on: The peripheral has no characteristic FFE2"),
            (#"{"to": "04", "value": "00", "on": "2A00"}"#, "on: The peripheral has no characteristic 2A00"),
            (#"{"to": "04", "value": "{"}"#, "value: The brace { has no }"),
            (#"{"to": "04", "value": "{-1}"}"#, "value: The braces must be empty or contain the index of a byte"),
            (#"{"to": "04", "value": "0{0}"}"#, #"value: Expected pairs of hexadecimal digits like 0a1b, found "0""#),
            (#"{"value": "04"}"#, #"responses.0: "to" is missing"#),
        ]
        for (response, message) in expected {
            let failure = failure(file(characteristic: #""responses": [\#(response)], "#))
            #expect(failure?.line == 4)
            #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "accepted"), not \(message)")
        }
        for (properties, message) in [("read", "can't be written"), ("write", "can't respond")] {
            let failure = failure(
                #"{"name": "A", "services": [{"uuid": "FFE0", "characteristics": [{"uuid": "FFE1","#
                    + #""properties": ["\#(properties)"], "responses": [{"to": "", "value": ""}]}]}]}"#)
            #expect(failure?.message.contains("The characteristic FFE1 \(message)") == true)
        }
    }
}
