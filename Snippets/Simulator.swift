// A test without hardware: a heart-rate sensor in the simulator, and a client that takes three of its values.
import BlueZSimulator
import CoreBlueZ

@SimulatorActor final class Beats: SimulatedPeripheralDelegate {
    func peripheral(_ peripheral: SimulatedPeripheral, didSubscribeTo characteristic: SimulatedCharacteristic) {
        peripheral.notify(from: characteristic, every: .milliseconds(250)) { count in [0, 70 + UInt8(count % 10)] }
    }
}

let specification = PeripheralSpecification(
    name: "Heart",
    address: "C0:FF:EE:00:00:01",
    advertisement: AdvertisementData(localName: "Heart", serviceUUIDs: [0x180D]),
    services: [
        ServiceSpecification(
            0x180D,
            characteristics: [
                CharacteristicSpecification(0x2A37, [.notify]),
                CharacteristicSpecification(0x2A38, [.read], value: [1]),
            ]
        )
    ]
)

let (bluez, heart, beats) = try await SimulatorActor.run {
    let bluez = try await SimulatedBlueZ(.init(timing: .instant))
    let heart = try bluez.add(specification)
    let beats = Beats()
    heart.delegate = beats
    return (bluez, heart, beats)
}

do {
    try await BluetoothActor.run {
        let central = CentralManager(bus: .address(bluez.address))
        let sensor = try await central.firstPeripheral(withServices: [0x180D])
        try await sensor.connect()
        try await sensor.discoverServices()
        let measurement = sensor.service(0x180D).characteristic(0x2A37)
        var values = try await measurement.notifications().makeAsyncIterator()
        for _ in 1...3 {
            if let value = try await values.next() { print([UInt8](value)) }
        }
        // What happens around the program is simulated by methods.
        await heart.simulateDisconnection()
        do throws(BluetoothError) {
            while try await values.next() != nil {}
        } catch {
            print(error.code, error.message)
        }
    }
} catch {
    print(error)
}
withExtendedLifetime(beats) {}
