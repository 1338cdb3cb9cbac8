// Reads the name of the maker: characteristic 2A29 of service 180A.
import CoreBlueZ

do {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
        let tag = try await central.firstPeripheral()
        try await tag.connect()
        try await tag.discoverServices([0x180A])
        let manufacturer = try await tag.service(0x180A).characteristic(0x2A29).readValue()
        print(String(decoding: manufacturer, as: UTF8.self).escapedForTerminal())
        try await tag.disconnect()
    }
} catch {
    print(error)
}
