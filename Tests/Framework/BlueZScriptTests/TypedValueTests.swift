import CoreBlueZ
import Testing

@testable import BlueZScript

@Suite("Addresses, UUIDs and times as they are typed or copied") struct TypedValueTests {
    @Test(
        "An address has twelve digits, in pairs or not, or is the path of BlueZ's object",
        arguments: [
            "C0:FF:EE:00:10:01", "c0:ff:ee:00:10:01", "C0-FF-EE-00-10-01", "C0_FF_EE_00_10_01", "C0FFEE001001",
            " C0:FF:EE:00:10:01", "\tc0ffee001001\n", "/org/bluez/hci0/dev_C0_FF_EE_00_10_01",
            "/org/bluez/hci12/dev_C0_FF_EE_00_10_01", "dev_C0_FF_EE_00_10_01",
        ])
    func address(text: String) {
        #expect(BluetoothAddress(typed: text)?.description == "C0:FF:EE:00:10:01")
    }

    @Test(
        "Other text is no address",
        arguments: [
            "", " ", "C0:FF:EE:00:10", "C0FFEE00100", "C0FFEE0010011", "C0FFEE00100G", "C0 FF EE 00 10 01",
            "C0:FF:EE:00:10:01:02", "dev_", "dev_Lamp", "/dev_C0_FF_EE_00_10_01", "x/dev_C0_FF_EE_00_10_01",
            "/org/bluez/hci0/dev_C0_FF_EE_00_10_01/service0001", "/org/bluez/hci0", "C0FFEE00100\u{0301}",
        ])
    func noAddress(text: String) {
        #expect(BluetoothAddress(typed: text) == nil)
    }

    @Test(
        "A UUID may have 0x, braces or urn:uuid:",
        arguments: [
            ("2A19", "2A19"), ("0x2A19", "2A19"), ("0X00002a19", "2A19"),
            ("{00002A19-0000-1000-8000-00805F9B34FB}", "2A19"),
            ("URN:UUID:00002a19-0000-1000-8000-00805f9b34fb", "2A19"),
        ])
    func uuid(text: String, description: String) {
        #expect(BluetoothUUID(typed: text)?.description == description)
    }

    @Test(
        "A time is a number of seconds, or has a unit",
        arguments: [
            ("0", .zero), ("0.5", .milliseconds(500)), ("10s", .seconds(10)), ("500ms", .milliseconds(500)),
            ("2m", .seconds(120)), ("1h", .seconds(3600)),
        ] as [(String, Duration)])
    func time(text: String, duration: Duration) throws {
        #expect(try Duration(typed: text) == duration)
    }

    @Test(
        "Other text is no time", arguments: ["", "s", "-1", "+1", "1e-9", "inf", "nan", "0x1", "1 s", "1d", "9999999h"])
    func noTime(text: String) {
        #expect(throws: CommandFailure.self) { try Duration(typed: text) }
    }

    @Test(
        "Other text is no UUID",
        arguments: ["", "0x", "{}", "{", "}", "{2A19", "2A19}", "urn:uuid:", "0x0x2A19", "0x2A1"])
    func noUUID(text: String) {
        #expect(BluetoothUUID(typed: text) == nil)
    }
}
