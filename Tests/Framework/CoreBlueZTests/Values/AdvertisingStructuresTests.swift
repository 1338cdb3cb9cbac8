import CoreBlueZ
import Foundation
import TestSupport
import Testing

@Suite("Structures of advertising data", .virtualTime)
struct AdvertisingStructuresTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let isWellFormed: Bool
        let expect: @Sendable (inout AdvertisementData) -> Void

        init(
            _ name: String, _ bytes: [UInt8], _ isWellFormed: Bool,
            _ expect: @escaping @Sendable (inout AdvertisementData) -> Void
        ) {
            testDescription = name
            self.bytes = bytes
            self.isWellFormed = isWellFormed
            self.expect = expect
        }
    }

    static let rows = [
        Row("nothing", [], true) { _ in },
        Row("a length of 0 ends the data", [0, 2, 1, 6], true) { _ in },
        Row("a structure beyond the end", [2, 1, 6, 5, 9, 0x41], false) { $0.flags = Data([6]) },
        Row("a length without a type", [2, 1, 6, 1], false) { $0.flags = Data([6]) },
        Row("flags of two bytes", [3, 1, 6, 7], true) { $0.flags = Data([6, 7]) },
        Row("empty flags replace none", [2, 1, 6, 1, 1], true) { $0.flags = Data([6]) },
        Row("UUIDs of each size, once each", [5, 3, 0x0F, 0x18, 0x0D, 0x18, 3, 2, 0x0F, 0x18, 5, 5, 4, 3, 2, 1], true) {
            $0.serviceUUIDs = [0x180F, 0x180D, BluetoothUUID(UInt32(0x0102_0304))]
        },
        Row(
            "a 16-bit UUID in 128 bits",
            [17, 7, 0xFB, 0x34, 0x9B, 0x5F, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0, 0x0F, 0x18, 0, 0], true
        ) {
            $0.serviceUUIDs = [0x180F]
        },
        Row("half a UUID is left out", [4, 3, 0x0F, 0x18, 1], false) { $0.serviceUUIDs = [0x180F] },
        Row("a name ends with its first zero", [5, 9, 0x41, 0, 0x42, 0x43], true) { $0.localName = "A" },
        Row("the last name counts", [2, 9, 0x41, 2, 8, 0x42], true) { $0.localName = "B" },
        Row("power", [2, 0x0A, 0xFC], true) { $0.txPowerLevel = -4 },
        Row("power without a byte replaces none", [2, 0x0A, 4, 1, 0x0A], false) { $0.txPowerLevel = 4 },
        Row("power of two bytes", [3, 0x0A, 4, 1], false) { $0.txPowerLevel = 4 },
        Row("appearance", [3, 0x19, 0x41, 3], true) { $0.appearance = 0x0341 },
        Row("half an appearance", [2, 0x19, 0x41], false) { _ in },
        Row("data of services", [3, 0x16, 0x0F, 0x18, 6, 0x20, 4, 3, 2, 1, 9], true) {
            $0.serviceData = [0x180F: Data(), BluetoothUUID(UInt32(0x0102_0304)): Data([9])]
        },
        Row("data of half a service", [2, 0x16, 0x0F], false) { _ in },
        Row("the last data of a company count", [3, 0xFF, 0x0D, 0, 4, 0xFF, 0x0D, 0, 7], true) {
            $0.manufacturerData = [0x000D: Data([7])]
        },
        Row("half a company", [2, 0xFF, 0x0D], false) { _ in },
        Row("another type", [3, 0x26, 1, 2, 1, 0x30], true) { $0.structures = [0x26: Data([1, 2]), 0x30: Data()] },
    ]

    @Test("Bytes are read as bluetoothd reads them", arguments: rows)
    func read(row: Row) {
        var expected = AdvertisementData()
        row.expect(&expected)
        var data = AdvertisementData()
        let isWellFormed = data.add(structures: row.bytes[...])
        #expect(isWellFormed == row.isWellFormed)
        #expect(data == expected)
    }

    @Test("What is read can be written, and read again", arguments: rows)
    func written(row: Row) {
        var data = AdvertisementData()
        data.add(structures: row.bytes[...])
        var again = AdvertisementData()
        let bytes = data.fields.flatMap { AdvertisingStructures.bytes($0.type, $0.content) }
        let isWellFormed = again.add(structures: bytes[...])
        #expect(isWellFormed)
        #expect(again == data)
    }

    @Test("Of services, their data and companies only so many are kept, and a complete name can be")
    func limits() {
        var data = AdvertisementData()
        let bytes: [UInt8] = [
            7, 3, 1, 0, 2, 0, 3, 0, 3, 0x16, 1, 0, 3, 0x16, 2, 0, 3, 0x16, 3, 0, 4, 0x16, 1, 0, 9, 3, 0xFF, 1, 0,
            3, 0xFF, 2, 0, 3, 0xFF, 3, 0, 2, 9, 0x41, 2, 8, 0x42,
        ]
        data.add(structures: bytes[...], atMost: 2, keepsCompleteName: true)
        #expect(data.serviceUUIDs == [1, 2])
        #expect(data.serviceData == [1: Data([9]), 2: Data()])
        #expect(data.manufacturerData == [3: Data()], "what other companies sent is forgotten")
        #expect(data.localName == "A")
    }
}
