// Switches the humidity sensor on and sets its period; reads back what was written.
import CoreBlueZ
import FoundationEssentials

do {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
        let tag = try await central.firstPeripheral()
        try await tag.connect()
        try await tag.discoverServices()
        let humidity = tag.service("F000AA20-0451-4000-B000-000000000000")
        let configuration = humidity.characteristic("F000AA22-0451-4000-B000-000000000000")
        let period = humidity.characteristic("F000AA23-0451-4000-B000-000000000000")
        try await configuration.writeByte(1)
        // In units of 10 ms: twice a second.
        try await period.writeValue(Data([50]), type: .withResponse)
        print("configuration:", [UInt8](try await configuration.readValue()))
        print("period:", [UInt8](try await period.readValue()))
        try await tag.disconnect()
    }
} catch {
    print(error)
}
