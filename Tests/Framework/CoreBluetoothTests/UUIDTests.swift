import CoreBluetooth
import Testing

/// CBUUID, as Apple's.
@Suite struct UUIDTests {
    private static let long = "0000180D-0000-1000-8000-00805F9B34FB"
    private static let own = "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    @Test(
        "A UUID has its shortest form as text and as bytes, the most significant first",
        arguments: [
            ("180d", "180D", [0x18, 0x0D]),
            (long, "180D", [0x18, 0x0D]),
            ("ABCD180D", "ABCD180D", [0xAB, 0xCD, 0x18, 0x0D]),
            (
                "c0b10000-7a6b-4d5e-8f90-1a2b3c4d5e6f", own,
                [0xC0, 0xB1, 0, 0, 0x7A, 0x6B, 0x4D, 0x5E, 0x8F, 0x90, 0x1A, 0x2B, 0x3C, 0x4D, 0x5E, 0x6F]
            ),
        ] as [(String, String, [UInt8])])
    func forms(text: String, shortest: String, bytes: [UInt8]) {
        let uuid = CBUUID(string: text)
        #expect(uuid.uuidString == shortest)
        #expect(uuid.data == Data(bytes))
        #expect(CBUUID(data: Data(bytes)) == uuid)
    }

    @Test("All forms of a UUID are equal, and so are their hash values")
    func equality() throws {
        let uuid = try #require(UUID(uuidString: Self.long))
        let forms = [CBUUID(string: "180D"), CBUUID(string: Self.long), CBUUID(nsuuid: uuid)]
        #expect(Set(forms).count == 1)
        #expect(Set(forms.map(\.hash)).count == 1)
        #expect(forms[0] != CBUUID(string: "180F"))
        #expect(forms[0].copy() as? CBUUID == forms[0])
    }

    @Test("A UUID that the Bluetooth SIG has assigned is described by its name, another by its text")
    func names() {
        #expect(CBUUID(string: "180D").description == "Heart Rate")
        #expect("\(CBUUID(string: Self.own))" == Self.own)
        #expect(CBUUID(string: CBUUIDCharacteristicUserDescriptionString).uuidString == "2901")
    }

    @Test("Text that is not a UUID stops the program with Apple's sentence")
    func badText() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            expectStop()
            _ = CBUUID(string: "heart rate")
        }
        #expect(result?.errors.contains("String heart rate does not represent a valid UUID") == true)
    }

    @Test("Bytes that are not a UUID stop the program with Apple's sentence")
    func badBytes() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            expectStop()
            _ = CBUUID(data: Data([1, 2, 3]))
        }
        #expect(result?.errors.contains("Data <010203> does not represent a valid UUID") == true)
    }
}

extension ExitTest.Result {
    /// What the process has printed on the standard error.
    var errors: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
