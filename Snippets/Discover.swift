// Prints the GATT database of a SensorTag.
import CoreBlueZ

do {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
        let tag = try await central.firstPeripheral()
        try await tag.connect()
        for service in try await tag.discoverServices() {
            print("service", service.uuid)
            for characteristic in try await service.discoverCharacteristics() {
                print("  characteristic", characteristic.uuid, characteristic.properties.names)
                for descriptor in try await characteristic.discoverDescriptors() {
                    print("    descriptor", descriptor.uuid)
                }
            }
        }
        try await tag.disconnect()
    }
} catch {
    print(error)
}
