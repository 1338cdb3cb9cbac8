import CoreBlueZ
import TestSupport
import Testing

@Suite(.virtualTime) struct BluetoothUUIDTests {
    @Test(
        "A UUID is the same in every way of writing it",
        arguments: [
            ("2A19", "2A19"),
            ("2a19", "2A19"),
            ("00002a19", "2A19"),
            ("00002A19-0000-1000-8000-00805F9B34FB", "2A19"),
            ("00002a1900001000800000805f9b34fb", "2A19"),
            ("12345678", "12345678-0000-1000-8000-00805F9B34FB"),
            ("F000AA00-0451-4000-B000-000000000000", "F000AA00-0451-4000-B000-000000000000"),
        ]
    )
    func text(text: String, description: String) throws {
        let uuid = try #require(BluetoothUUID(text))
        #expect(uuid.description == description)
        #expect(BluetoothUUID(uuid.fullString) == uuid)
        #expect(BluetoothUUID(uuid.description) == uuid)
        #expect(uuid.fullString.count == 36)
    }

    @Test(
        "Text that is no UUID is refused",
        arguments: [
            "", "2", "2A1", "2A1G", "2A19 ", "+A19", "-A19", "00002A19-0000-1000-8000-00805F9B34F",
            "00002A19+0000-1000-8000-00805F9B34FB", "00002A190-000-1000-8000-00805F9B34FB", "２A19", "2A19\0",
            "0x2A19",
        ]
    )
    func noText(text: String) {
        #expect(BluetoothUUID(text) == nil)
    }

    @Test("An offset replaces the third and fourth byte of a base")
    func offset() throws {
        let base = BluetoothUUID("F0000000-0451-4000-B000-000000000000")
        #expect(base.replacingShort(with: 0xAA01) == BluetoothUUID("F000AA01-0451-4000-B000-000000000000"))
        let used = BluetoothUUID("F000FFFF-0451-4000-B000-000000000000")
        #expect(used.replacingShort(with: 0x0001) == BluetoothUUID("F0000001-0451-4000-B000-000000000000"))
    }

    @Test("Adding carries over the halves, and wraps at the end")
    func adding() throws {
        let base = BluetoothUUID("00000000-0000-0000-FFFF-FFFFFFFFFFFF")
        #expect(base.adding(1) == BluetoothUUID("00000000-0000-0001-0000-000000000000"))
        let tag = BluetoothUUID("F000AA01-0451-4000-B000-000000000000")
        #expect(tag.adding(0xF0).fullString == "f000aa01-0451-4000-b000-0000000000f0")
        let last = BluetoothUUID(high: .max, low: .max)
        #expect(last.adding(1) == BluetoothUUID(high: 0, low: 0))
    }

    @Test("Only UUIDs on the Bluetooth base have a short form")
    func short() throws {
        #expect(BluetoothUUID(0x180F as UInt16).short == 0x180F)
        #expect(BluetoothUUID(0x1_180F as UInt32).short == nil)
        #expect(BluetoothUUID("F000180F-0451-4000-B000-000000000000").short == nil)
    }
}
