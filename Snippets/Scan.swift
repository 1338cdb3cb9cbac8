// Prints what advertises, for ten seconds.
import CoreBlueZ

do {
    try await BluetoothActor.run {
        let central = CentralManager()
        let options = ScanOptions(duration: .seconds(10))
        try await central.scanForPeripherals(options: options) { peripheral, advertisement, rssi in
            print(peripheral.displayName, rssi ?? 0, "dBm", advertisement)
        }
    }
} catch {
    print(error)
}
