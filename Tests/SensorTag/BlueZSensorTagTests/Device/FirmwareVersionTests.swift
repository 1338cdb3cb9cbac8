import Testing

@testable import BlueZSensorTag

@Suite("Firmware versions")
struct FirmwareVersionTests {
    @Test(
        "The text before the first space is the version",
        arguments: [
            ("1.5 (Oct 23 2013)", 1, 5), ("1.0 (Mar  1 2012)", 1, 0), ("1.50 (Feb  9 2017)", 1, 50),
            ("0.89 (Mar 12 2015)", 0, 89), ("1.3", 1, 3), ("1.4\0", 1, 4), ("1.20.7 (x)", 1, 20),
        ])
    func parsed(text: String, major: Int, minor: Int) throws {
        #expect(FirmwareVersion(text) == FirmwareVersion(major: major, minor: minor))
    }

    @Test(
        "Anything else is no version",
        arguments: [
            "", "N.A.", "1", "1.", ".5", " 1.5", "v1.5", "+1.5", "1.-5", "1.5b", "1.99999999999999999999", "1..5",
            "١.٥",
        ])
    func refused(text: String) {
        #expect(FirmwareVersion(text) == nil)
    }

    @Test("Versions are ordered by numbers, not by digits")
    func ordered() {
        let versions = [(0, 89), (1, 0), (1, 3), (1, 5), (1, 20), (1, 50), (2, 0)].map(FirmwareVersion.init)
        #expect(versions == versions.reversed().sorted())
        #expect(versions.map(\.description) == ["0.89", "1.0", "1.3", "1.5", "1.20", "1.50", "2.0"])
    }
}
