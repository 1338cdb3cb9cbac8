import CoreBlueZ
import Testing

@testable import BlueZSensorTag

@Suite("Device information", .timeLimit(.minutes(10)))
struct DeviceInformationTests {
    @Test(
        "A text ends at the first NUL",
        arguments: [
            ([UInt8](ascii: "N.A.\0"), "N.A."), ([UInt8](ascii: "Texas Instruments"), "Texas Instruments"),
            ([UInt8](ascii: "a\0b"), "a"), ([], ""), ([0], ""), ([0xC3, 0xA9], "é"), ([0x41, 0xFF], "A\u{FFFD}"),
        ])
    func text(payload: [UInt8], expected: String) {
        #expect(DeviceInformationText.text(from: payload) == expected)
    }

    @Test("The system ID is shown with its last byte first, in eight groups")
    func systemIdentifier() throws {
        let identifier = try SystemIdentifier(from: bytes("50abab0000296abc"))
        #expect(identifier.description == "bc:6a:29:00:00:ab:ab:50")
        #expect(try SystemIdentifier(from: bytes("0102030405060708")).description == "08:07:06:05:04:03:02:01")
    }

    @Test("The certification data is binary with a text behind it")
    func certification() throws {
        let value = try RegulatoryCertification(from: [0xFE, 0x00] + [UInt8](ascii: "experimental"))
        #expect(value.body == 0xFE)
        #expect(value.structure == 0)
        #expect(value.data == [UInt8](ascii: "experimental"))
        #expect(value.description == "fe 00 experimental")
    }

    @Test(
        "Certification data that is no text is shown as bytes",
        arguments: [("0001", "00 01"), ("01021b5b", "01 02 1b 5b"), ("fe006100", "fe 00 a")])
    func binaryCertification(payload: String, expected: String) throws {
        #expect(try RegulatoryCertification(from: bytes(payload)).description == expected)
    }

    @Test("The PnP ID of the tag names Texas Instruments")
    func pnpIdentifier() throws {
        let value = try PnPIdentifier(from: bytes("010d0000001001"))
        #expect(value.vendorSource == .bluetooth)
        #expect(value.vendor == 0x000D)
        #expect(value.product == 0)
        #expect(value.version == 0x0110)
        #expect(value.description == "Bluetooth vendor 0x000d, product 0x0000, version 1.1.0")
    }

    @Test("The fields of a PnP ID are little-endian")
    func pnpByteOrder() throws {
        let usb = try PnPIdentifier(from: bytes("02341278563412"))
        #expect(usb.description == "USB vendor 0x1234, product 0x5678, version 12.3.4")
        #expect(try PnPIdentifier(from: bytes("00000000000000")).vendorSource == .reserved(0))
    }

    @Test("Device information is read whole: texts end before NUL, the PnP ID is 2A50")
    func information() async throws {
        try await FakeTagFixture.run { fixture in
            let information = try await fixture.tag.information.readInformation()
            #expect(information.model == "N.A.")
            #expect(information.firmware == "1.5 (Oct 23 2013)")
            #expect(information.manufacturer == "Texas Instruments")
            #expect(information.systemIdentifier?.description == "a5:a4:a3:00:00:a2:a1:a0")
            #expect(information.pnpIdentifier?.vendor == 0x000D)
            #expect(information.serialNumber == nil)
            #expect(information.failures.isEmpty)
        }
    }

    @Test("A value that cannot be read is reported, and the others are there")
    func partialInformation() async throws {
        try await FakeTagFixture.run { fixture in
            await fixture.refuseReads("2a24", 0x80)
            let information = try await fixture.tag.information.readInformation()
            #expect(information.model == nil)
            #expect(information.failures.map(\.code) == [.att])
            #expect(information.manufacturer == "Texas Instruments")
        }
    }
}
