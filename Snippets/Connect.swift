// Finds a SensorTag, connects and disconnects.
import CoreBlueZ

do {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
        let tag = try await central.firstPeripheral(timeout: .seconds(20))
        tag.disconnectHandler = { tag, error in
            print(tag.displayName, "is gone:", error?.message ?? "we asked for it")
        }
        try await tag.connect(options: ConnectOptions(timeout: .seconds(30), retries: 3))
        print(tag.displayName, "is", tag.state)
        try await tag.disconnect()
    }
} catch {
    print(error)
}
