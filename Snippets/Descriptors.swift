// Reads the user descriptions (2901) of all characteristics that have one.
import CoreBlueZ

do {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
        let tag = try await central.firstPeripheral()
        try await tag.connect()
        for service in try await tag.discoverServices() {
            for characteristic in service.characteristics {
                for descriptor in try await characteristic.discoverDescriptors() where descriptor.uuid == 0x2901 {
                    let text = String(decoding: try await descriptor.readValue(), as: UTF8.self).escapedForTerminal()
                    print(characteristic.uuid, text)
                }
            }
        }
        try await tag.disconnect()
    }
} catch {
    print(error)
}
