import BlueZScript
import CoreBlueZ
import Foundation
import Testing

@testable import gatt

/// What of a file can be served, and what is advertised.
@Suite("The file of gatt serve") struct ServedDescriptionTests {
    private static let service = #""services": [{"uuid": "180F"}]"#

    private func description(_ text: String) throws -> ServedDescription {
        try ServedDescription(SimulationFile(Data(text.utf8), path: "file"))
    }

    @Test(
        "A file that does not describe one peripheral with services is refused",
        arguments: [
            (#"{"peripherals": []}"#, "file: There is no peripheral to serve"),
            (
                #"{"peripherals": [{"name": "A", \#(service)},\#n{"name": "B"}]}"#,
                "file:2: The file has 2 peripherals, but this computer can only be one"
            ),
            (#"{"name": "A"}"#, "file:1: The peripheral has no services to serve"),
            (#"{"name": "A", "services": [{"uuid": "1801"}]}"#, "file:1: The peripheral has no services to serve"),
        ])
    func refused(text: String, message: String) throws {
        let failure = #expect(throws: CommandFailure.self) { _ = try description(text) }
        #expect(failure?.status == .data)
        #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
    }

    @Test("What has no effect is said")
    func notes() throws {
        let text = """
            {"name": "A", "appearsAfter": 1, "presence": {"seconds": 1, "away": 1},
             "services": [{"uuid": "1800"}, {"uuid": "1801"}, {"uuid": "180F"}]}
            """
        #expect(
            try description(text).notes == [
                "BlueZ offers 1800 and 1801 itself; what the file says about that is left out",
                "Without effect in gatt serve: appearsAfter, presence",
            ])
        #expect(try description(#"{"name": "A", \#(Self.service)}"#).notes.isEmpty)
    }

    @Test("The generic services of an inspected device are left out with a note")
    func inspected() throws {
        let records = [
            #"{"event":"device","device":"00:AA:02:00:00:04","deviceName":"A"}"#,
            #"{"event":"service","service":"1801","handle":1}"#, #"{"event":"service","service":"180F","handle":16}"#,
        ]
        let notes = try description(records.joined(separator: "\n")).notes
        #expect(notes == ["BlueZ offers 1801 itself; what the file says about that is left out"])
    }

    @Test("The first services that fit are advertised, unless the file says which")
    func services() throws {
        let long = "0000FFE0-7A6B-4D5E-8F90-1A2B3C4D5E6F"
        let other = "0000FFE1-7A6B-4D5E-8F90-1A2B3C4D5E6F"
        let text = #"""
            {"name": "A", "services": [{"uuid": "180F"}, {"uuid": "180F"}, {"uuid": "\#(long)"},
             {"uuid": "\#(other)"}, {"uuid": "181A", "primary": false}, {"uuid": "180D"}]}
            """#
        let advertisement = try description(text).advertisement(name: nil)
        #expect(advertisement.serviceUUIDs == [0x180F, BluetoothUUID(long), 0x180D].compactMap { $0 })
        #expect(advertisement.length <= 31)
        #expect(advertisement.localName == "A")
        let chosen = #"{"name": "A", "advertisedServices": ["180D"], \#(Self.service)}"#
        #expect(try description(chosen).advertisement(name: "B").serviceUUIDs == [0x180D])
        #expect(try description(chosen).advertisement(name: "B").localName == "B")
    }

    @Test("An advertisement that is too large is explained")
    func tooLarge() throws {
        let text = #"""
            {"name": "A", "advertisedServices": ["180D"], "appearance": 833, \#(Self.service),
             "manufacturerData": {"004C": "\#(String(repeating: "00", count: 20))"}}
            """#
        let description = try description(text)
        let error = BluetoothError(.valueTooLong, "The advertisement is too large by 4 bytes: 35 of 31")
        let failure = description.failure(error, of: description.advertisement(name: nil))
        #expect(failure.status == .data)
        #expect(
            failure.message == """
                file: The advertisement is too large by 4 bytes: 35 of 31
                Leave one of these out: advertisedServices (4 bytes), manufacturerData 0x004c (24 bytes), \
                appearance (4 bytes); or use --no-advertising
                """)
    }
}
