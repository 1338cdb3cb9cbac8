// Pairs with a SensorTag, and makes BlueZ forget it again.
import CoreBlueZ

do {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
        let tag = try await central.firstPeripheral(timeout: .seconds(20))
        try await tag.connect()
        try await tag.pair()
        print("paired:", tag.isPaired, "bonded:", tag.isBonded)
        try await tag.disconnect()
        try await central.forgetPeripheral(tag)
    }
} catch {
    print(error)
}
