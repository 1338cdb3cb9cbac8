// Prints the GATT database of a SensorTag.
import CoreBlueZ

do {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
        let tag = try await central.firstPeripheral()
        try await tag.connect()
        for service in try await tag.discoverServices() {
            print(service)
            for characteristic in try await service.discoverCharacteristics() {
                print("  ", characteristic)
                for descriptor in try await characteristic.discoverDescriptors() {
                    print("    ", descriptor)
                }
            }
        }
        try await tag.disconnect()
    }
} catch {
    print(error)
}
