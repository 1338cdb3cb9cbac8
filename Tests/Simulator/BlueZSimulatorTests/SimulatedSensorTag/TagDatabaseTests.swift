import BlueZSimulatedSensorTag
import BlueZSimulator
import TestSupport
import Testing

@Suite("The simulated tag's attributes", .virtualTime) struct TagDatabaseTests {
    @Test(
        "Periods and connection control that came with firmware 1.4 are missing in 1.3",
        arguments: SensorTagModel.allCases)
    func periods(model: SensorTagModel) {
        let all = Set(model.specification().services.flatMap(\.characteristics).map(\.uuid))
        let later: [UInt16] = [0xAA03, 0xAA23, 0xAA44, 0xCCC1, 0xCCC2, 0xCCC3]
        for number in later { #expect(all.contains(ti(number)) == (model != .cc2541Firmware1_3), "\(number)") }
        for number in [0xAA13, 0xAA33, 0xAA43, 0xAA61] as [UInt16] {
            #expect(all.contains(ti(number)) == (model != .cc2650), "\(number)")
        }
        for number in [0xAA65, 0xAA71, 0xAA81, 0xAA83] as [UInt16] {
            #expect(all.contains(ti(number)) == (model == .cc2650), "\(number)")
        }
    }

    @Test("The first generation can be found by its name only, and changes it after connecting")
    @ClientActor func name() async throws {
        let fixture = try await TagFixture()
        try await fixture.find()
        let found = fixture.client.record.first { $0.hasPrefix("InterfacesAdded") } ?? ""
        #expect(found.contains("Name=\"SensorTag\"") || found.contains("Name=SensorTag"), "\(found)")
        #expect(!found.contains("ManufacturerData"))
        try await fixture.connect()
        try await fixture.client.wait(for: "TI BLE Sensor Tag")
    }

    @Test("Device information is the firmware's")
    @ClientActor func deviceInformation() async throws {
        let fixture = try await TagFixture.connected()
        #expect(try await fixture.read(0x2A23) == [0x50, 0xAB, 0xAB, 0, 0, 0x29, 0x6A, 0xBC])
        #expect(try await fixture.read(0x2A26) == Array("1.5 (Oct 23 2013)".utf8))
        #expect(try await fixture.read(0x2A24) == Array("N.A.\u{0}".utf8))
        #expect(try await fixture.read(0x2A50) == [0x01, 0x0D, 0x00, 0x00, 0x00, 0x10, 0x01])
    }
}
