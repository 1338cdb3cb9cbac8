// A driver with a control point: each request gets its own response; tried on a simulated sensor.
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials

/// The Cycling Speed and Cadence Service, whose control point sets the counter of the wheel's revolutions.
final class SpeedService: Service {
    init() {
        super.init(name: "speed", uuid: 0x1816)
        addCharacteristic("measurement", uuid: 0x2A5B)
        addCharacteristic("control point", uuid: 0x2A55)
    }

    /// Sets the counter: code 1, and 32 bits. The response is code 16, the request's code, and 1 for success.
    func setRevolutions(_ count: UInt32, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        let request = Data([1] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
        characteristic("control point").sendRequest(request) { value in
            value.starts(with: [16, 1])
        } completion: { response, error in
            guard let response else { return completion(error) }
            let isDone = response.count >= 3 && response[response.startIndex + 2] == 1
            completion(isDone ? nil : BluetoothError(.failed, "The sensor refuses to set its counter"))
        }
    }
}

final class BikeSensor: Peripheral {
    let speed = SpeedService()

    override init(_ device: DiscoveredDevice) {
        super.init(device)
        addService(speed)
    }
}

/// Confirms what is written to the control point, and then responds.
final class Wheel: SimulatedPeripheralDelegate {
    func peripheral(
        _ peripheral: SimulatedPeripheral, write value: [UInt8],
        to characteristic: SimulatedCharacteristic, request: AttributeRequest
    ) {
        request.respond()
        _ = peripheral.notify([16, value.first ?? 0, 1], from: characteristic)
    }
}

let specification = PeripheralSpecification(
    name: "Bike",
    address: "C0:FF:EE:00:00:02",
    advertisement: AdvertisementData(localName: "Bike", serviceUUIDs: [0x1816]),
    services: [
        ServiceSpecification(
            0x1816,
            characteristics: [
                CharacteristicSpecification(0x2A5B, [.notify]),
                CharacteristicSpecification(0x2A55, [.write, .indicate]),
            ])
    ]
)
do {
    let (bluez, wheel) = try await SimulatorActor.run {
        let bluez = try await SimulatedBlueZ()
        let wheel = Wheel()
        try bluez.add(specification).delegate = wheel
        return (bluez, wheel)
    }
    try await BluetoothActor.run {
        let central = CentralManager(bus: .address(bluez.address))
        central.peripheralBuilder = { BikeSensor($0) }
        let sensor = try await central.firstPeripheral(as: BikeSensor.self, withServices: [0x1816])
        try await sensor.connect()
        try await sensor.discoverServices()
        sensor.speed.setRevolutions(0) { error in print(error?.description ?? "the counter is zero") }
        // The same with async, and any response.
        let request = Data([1, 0, 0, 0, 0])
        let response = try await sensor.speed.characteristic("control point").sendRequest(request)
        print("response", [UInt8](response))
        try await sensor.disconnect()
    }
    withExtendedLifetime(wheel) {}
} catch {
    print(error)
}
