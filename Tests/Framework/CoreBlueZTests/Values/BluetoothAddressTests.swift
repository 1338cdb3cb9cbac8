import CoreBlueZ
import TestSupport
import Testing

@Suite(.virtualTime) struct BluetoothAddressTests {
    @Test("An address is read in any case and separator, and written as BlueZ does")
    func text() throws {
        let address = try #require(BluetoothAddress("bc:6a:29:00-ab-05"))
        #expect(address.description == "BC:6A:29:00:AB:05")
        #expect(BluetoothAddress(address.description) == address)
        #expect(BluetoothAddress("00:00:00:00:00:01")?.description == "00:00:00:00:00:01")
    }

    @Test(
        "Text that is no address is refused",
        arguments: [
            "", "BC:6A:29:00:AB", "BC:6A:29:00:AB:05:06", "BC:6A:29:00:AB:5", "BC:6A:29:00:AB:+5", "BC6A2900AB05",
            "BC:6A:29:00:AB:0G",
        ]
    )
    func noText(text: String) {
        #expect(BluetoothAddress(text) == nil)
    }
}
