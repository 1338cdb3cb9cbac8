import BlueZValues
import FoundationEssentials
import Testing

@testable import GatewayProtocol

@Suite("Advertisements")
struct AdvertisementTests {
    @Test("An advertisement is the same after its way through JSON")
    func roundTrip() throws {
        #expect(try GatewayAdvertisement(payload: Sample.advertisement.payload()) == Sample.advertisement)
    }

    @Test("The keys are those of OpenMQTTGateway")
    func keys() throws {
        let json = String(decoding: try Sample.advertisement.payload(), as: UTF8.self)
        for part in [
            #""id":"BC:6A:29:AC:16:6B""#, #""mac_type":0"#, #""rssi":-60"#, #""name":"Tag""#,
            #""manufacturerdata":"0d00030000""#, #""servicedata":"a4c1""#, #""servicedatauuid":"0x181a""#,
            #""txpower":-4"#,
        ] {
            #expect(json.contains(part), "\(part) is missing in \(json)")
        }
    }

    @Test("The structures have the bytes of the Core Specification")
    func structures() {
        var data = AdvertisementData()
        data.flags = Data([6])
        data.serviceUUIDs = [BluetoothUUID(0x180F)]
        data.localName = "Tag"
        data.txPowerLevel = -4
        #expect(data.encoded == [2, 1, 6, 3, 3, 0x0F, 0x18, 4, 9, 0x54, 0x61, 0x67, 2, 0x0A, 0xFC])
        var long = AdvertisementData()
        long.serviceUUIDs = [BluetoothUUID("f000aa00-0451-4000-b000-000000000001")]
        #expect(
            long.encoded == [
                17, 7, 1, 0, 0, 0, 0, 0, 0, 0xB0, 0, 0x40, 0x51, 4, 0, 0xAA, 0, 0xF0,
            ])
    }

    @Test("Incomplete lists, shortened names and 32-bit UUIDs are read")
    func otherForms() throws {
        let bytes: [UInt8] = [
            3, 2, 0x0F, 0x18, 5, 4, 0x78, 0x56, 0x34, 0x12, 2, 8, 0x41, 7, 0x20, 0x78, 0x56, 0x34, 0x12, 9, 8, 0,
        ]
        let data = try #require(AdvertisementData(encoded: bytes))
        #expect(data.serviceUUIDs == [BluetoothUUID(0x180F), BluetoothUUID(UInt32(0x1234_5678))])
        #expect(data.localName == "A")
        #expect(data.serviceData == [BluetoothUUID(UInt32(0x1234_5678)): Data([9, 8])])
    }

    @Test(
        "Structures that reach beyond the end or are too short are refused",
        arguments: [[5, 1, 6], [1], [2, 3, 1], [2, 0xFF, 1], [2, 0x16, 1], [3, 0x0A, 1, 2], [2, 0x19, 1]] as [[UInt8]])
    func wrongStructures(bytes: [UInt8]) {
        #expect(AdvertisementData(encoded: bytes) == nil)
    }

    @Test("A length of zero ends the structures")
    func padding() throws {
        #expect(try #require(AdvertisementData(encoded: [2, 1, 6, 0, 9, 9, 9])).flags == Data([6]))
    }

    @Test("More UUIDs than one structure holds become several, and too much is left out")
    func large() throws {
        var data = AdvertisementData()
        data.serviceUUIDs = (0..<300).map { BluetoothUUID(UInt16($0)) }
        #expect(try #require(AdvertisementData(encoded: data.encoded)).serviceUUIDs == data.serviceUUIDs)
        for company in 0..<20 { data.manufacturerData[UInt16(company)] = .init(repeating: 1, count: 250) }
        #expect(data.encoded.count <= GatewayLimits.advertisement)
        #expect(AdvertisementData(encoded: data.encoded) != nil)
    }
}
