// Tutorial, step 2: connect, and see what the tag has.
import CoreBlueZ

func main() async throws {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
        let tag = try await central.firstPeripheral(deadline: .seconds(20))
        try await tag.connect()
        for service in try await tag.discoverServices() {
            print(service.uuid)
            for characteristic in try await service.discoverCharacteristics() {
                print("    \(characteristic.uuid) \(characteristic.properties.names)")
            }
        }
        try await tag.disconnect()
    }
}

do { try await main() } catch { print(error) }
