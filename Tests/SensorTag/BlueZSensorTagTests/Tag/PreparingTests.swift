import CoreBlueZ
import Testing

@testable import BlueZSensorTag

@Suite("A tag is recognized by its services", .timeLimit(.minutes(10)))
struct PreparingTests {
    @Test(
        "The generation is that of the services",
        arguments: [
            (
                FakeTag.Model.cc2541(firmware: "1.3 (x)"), SensorTagGeneration.cc2541,
                FirmwareVersion(major: 1, minor: 3)
            ),
            (.cc2650(firmware: "1.50 (x)"), .cc2650, FirmwareVersion(major: 1, minor: 50)),
        ])
    func generation(model: FakeTag.Model, generation: SensorTagGeneration, firmware: FirmwareVersion) async throws {
        try await FakeTagFixture.run(model, isPrepared: false) { fixture in
            let recognized = try await fixture.tag.prepare()
            #expect(recognized == generation)
            #expect(fixture.tag.generation == generation)
            #expect(fixture.tag.firmware == firmware)
        }
    }

    @Test("A device with a tag's name but without its services is no tag")
    func stranger() async throws {
        try await FakeTagFixture.run(.stranger, isPrepared: false) { fixture in
            let code = await errorCode { () throws(BluetoothError) in try await fixture.tag.prepare() }
            #expect(code == .notSupported)
        }
    }
}
