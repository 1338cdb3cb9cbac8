import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import Testing

private let heartRateSensor = PeripheralSpecification(
    name: "Heart",
    address: "C0:FF:EE:00:00:01",
    advertisement: AdvertisingData(localName: "Heart", serviceUUIDs: [0x180D]),
    services: [
        ServiceSpecification(
            0x180D, characteristics: [CharacteristicSpecification(0x2A37, [.notify])]),
        ServiceSpecification(
            0x180F, characteristics: [CharacteristicSpecification(0x2A19, [.read], value: [80])]),
    ]
)

/// The tests of BlueZSimulator's article, as it shows them.
@Suite struct SimulatorArticleTests {
    @Test("A battery level is read, and the sensor's departure is an error")
    func sensorLeaves() async throws {
        let (bluez, sensor) = try await SimulatorActor.run {
            let bluez = try await SimulatedBlueZ(.init(timing: .instant))
            return (bluez, try bluez.add(heartRateSensor))
        }
        try await BluetoothActor.run {
            let central = CentralManager(bus: .address(bluez.address))
            let found = try await central.firstPeripheral(withServices: [0x180D])
            try await found.connect()
            try await found.discoverServices()
            let battery = found.service(0x180F).characteristic(0x2A19)
            #expect(try await battery.readValue() == Data([80]))

            await sensor.simulateRangeLoss()
            let error = await #expect(throws: BluetoothError.self) { try await battery.readValue() }
            #expect(error?.code == .notConnected || error?.code == .disconnected)
        }
        withExtendedLifetime(bluez) {}
    }
}
