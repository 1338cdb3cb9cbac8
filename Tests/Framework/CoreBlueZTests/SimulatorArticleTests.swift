import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

private let heartRateSensor = PeripheralSpecification(
    name: "Heart",
    address: "C0:FF:EE:00:00:01",
    advertisement: AdvertisementData(localName: "Heart", serviceUUIDs: [0x180D]),
    services: [
        ServiceSpecification(
            0x180D, characteristics: [CharacteristicSpecification(0x2A37, [.notify])]),
        ServiceSpecification(
            0x180F, characteristics: [CharacteristicSpecification(0x2A19, [.read], value: [80])]),
    ]
)

private let controlPoint = CharacteristicSpecification(
    0x2A55, [.write, .indicate],
    responses: [
        WriteResponse(to: [0x04], [0x10, 0x04, 0x01, 0x05, 0x06]),
        WriteResponse(to: [], parts: [.bytes([0x10]), .writtenByte(0), .bytes([0x02])]),
    ])

/// The tests of BlueZSimulator's article, as it shows them.
@Suite(.realTime) struct SimulatorArticleTests {
    @Test("A control point responds to a request that it knows, and refuses another")
    func controlPointResponds() async throws {
        let bluez = try await SimulatorActor.run {
            let bluez = try await SimulatedBlueZ(.init(timing: .instant))
            let service = ServiceSpecification(0x1816, characteristics: [controlPoint])
            try bluez.add(PeripheralSpecification(name: "Wheel", address: "C0:FF:EE:00:00:02", services: [service]))
            return bluez
        }
        try await BluetoothActor.run {
            let central = CentralManager(bus: .address(bluez.address))
            let found = try await central.firstPeripheral()
            try await found.connect()
            try await found.discoverServices()
            let point = found.service(0x1816).characteristic(0x2A55)
            #expect(try await point.sendRequest(Data([0x04])) == Data([0x10, 0x04, 0x01, 0x05, 0x06]))
            #expect(try await point.sendRequest(Data([0x09, 0x01])) == Data([0x10, 0x09, 0x02]))
        }
        withExtendedLifetime(bluez) {}
    }

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

    @Test("A driver's closure gets the battery level") func closure() async throws {
        let bluez = try await SimulatorActor.run {
            let bluez = try await SimulatedBlueZ(.init(timing: .instant))
            try bluez.add(heartRateSensor)
            return bluez
        }
        try await BluetoothActor.run {
            let central = CentralManager(bus: .address(bluez.address))
            let found = try await central.firstPeripheral(withServices: [0x180D])
            try await found.connect()
            let level: Data? = try await withCheckedThrowingContinuation { continuation in
                readBattery(of: found) { level, error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: level) }
                }
            }
            #expect(level == Data([80]))
        }
        withExtendedLifetime(bluez) {}
    }

    @Test("A driver's handler gets each measurement", .timeLimit(.minutes(1))) func handler() async throws {
        let (bluez, sensor) = try await SimulatorActor.run {
            let bluez = try await SimulatedBlueZ(.init(timing: .instant))
            return (bluez, try bluez.add(heartRateSensor))
        }
        try await BluetoothActor.run {
            let central = CentralManager(bus: .address(bluez.address))
            let found = try await central.firstPeripheral(withServices: [0x180D])
            try await found.connect()
            try await found.discoverServices()
            let (values, continuation) = AsyncStream<Data>.makeStream()
            let measurement = found.service(0x180D).characteristic(0x2A37)
            try await measurement.startNotifying { value, _ in
                if let value { continuation.yield(value) }
            }
            for rate: UInt8 in [70, 71] { await beat(rate, sensor) }
            var iterator = values.makeAsyncIterator()
            #expect(await iterator.next() == Data([0, 70]))
            #expect(await iterator.next() == Data([0, 71]))
        }
        withExtendedLifetime(bluez) {}
    }

    /// A driver with closures: discovers and reads.
    @BluetoothActor private func readBattery(
        of peripheral: Peripheral, completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void
    ) {
        peripheral.discoverServices([0x180F]) { _, error in
            if let error { return completion(nil, error) }
            peripheral.service(0x180F).characteristic(0x2A19).readValue(completion: completion)
        }
    }

    @SimulatorActor private func beat(_ rate: UInt8, _ sensor: SimulatedPeripheral) {
        guard let measurement = sensor.characteristic(0x2A37), sensor.notify([0, rate], from: measurement) else {
            Issue.record("Nobody is subscribed")
            return
        }
    }
}
