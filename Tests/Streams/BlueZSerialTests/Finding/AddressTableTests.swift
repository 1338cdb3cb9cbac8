import CoreBlueZ
import TestSupport
import Testing

@testable import BlueZSerial

@Suite(.virtualTime) struct AddressTableTests {
    @Test("The address that was added first leaves a full table")
    func full() {
        let addresses: [BluetoothAddress?] = (1...4).map { BluetoothAddress("00:00:00:00:00:0\($0)") }
        var table = AddressTable<Int>(limit: 3)
        for (number, address) in addresses.prefix(3).enumerated() { table[address] = number }
        table[addresses[0]] = 10
        #expect(addresses.map { table[$0] } == [10, 1, 2, nil])
        table[addresses[3]] = 3
        #expect(addresses.map { table[$0] } == [nil, 1, 2, 3])
        table[nil] = 4
        #expect(addresses.map { table[$0] } == [nil, nil, 2, 3])
        #expect(table[nil] == 4)
        #expect(table.total == 5)
    }
}
