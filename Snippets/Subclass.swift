// A driver: subclasses of Service and Peripheral, built by the manager; tried on a simulated sensor.
import BlueZSimulator
import CoreBlueZ

final class HeartRateService: Service {
    private(set) var beatsPerMinute: Int?
    var handler: (@BluetoothActor (Int) -> Void)?

    init() {
        super.init(name: "heartRate", uuid: 0x180D)
        addCharacteristic("measurement", uuid: 0x2A37)
        addCharacteristic("location", uuid: 0x2A38)
    }

    override func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
        guard error == nil, let value = characteristic.value else { return }
        // Heart Rate Service 1.0, 3.1: flags, then the rate in 8 bits or, if bit 0 of the flags is set, in 16.
        let bytes = [UInt8](value)
        guard bytes.count >= 2 else { return }
        if bytes[0] & 1 == 0 {
            beatsPerMinute = Int(bytes[1])
        } else if bytes.count >= 3 {
            beatsPerMinute = Int(bytes[1]) | Int(bytes[2]) << 8
        }
        if let beatsPerMinute { handler?(beatsPerMinute) }
    }
}

final class HeartRateSensor: Peripheral {
    let heartRate = HeartRateService()

    override init(_ device: DiscoveredDevice) {
        super.init(device)
        addService(heartRate)
    }
}

func watch(_ address: String) async throws {
    try await BluetoothActor.run {
        let central = CentralManager(bus: .address(address))
        central.peripheralBuilder = { HeartRateSensor($0) }
        let sensor = try await central.firstPeripheral(as: HeartRateSensor.self, withServices: [0x180D])
        try await sensor.connect()
        try await sensor.discoverServices()
        sensor.heartRate.handler = { print($0, "beats per minute") }
        try await sensor.heartRate.characteristic("measurement").setNotifyValue(true)
        try await Task.sleep(for: .seconds(3))
        try await sensor.disconnect()
    }
}

/// Beats once a second while somebody listens.
final class Heart: SimulatedPeripheralDelegate {
    func peripheral(_ peripheral: SimulatedPeripheral, didSubscribeTo characteristic: SimulatedCharacteristic) {
        peripheral.notify(from: characteristic, every: .seconds(1)) { _ in [0, UInt8.random(in: 68...74)] }
    }
}

let measurement = CharacteristicSpecification(0x2A37, [.notify])
let specification = PeripheralSpecification(
    name: "Heart",
    address: "C0:FF:EE:00:00:01",
    advertisement: AdvertisementData(localName: "Heart", serviceUUIDs: [0x180D]),
    services: [ServiceSpecification(0x180D, characteristics: [measurement])]
)
do {
    let (bluez, heart) = try await SimulatorActor.run {
        let bluez = try await SimulatedBlueZ()
        let heart = Heart()
        try bluez.add(specification).delegate = heart
        return (bluez, heart)
    }
    try await watch(bluez.address)
    withExtendedLifetime(heart) {}
} catch {
    print(error)
}
