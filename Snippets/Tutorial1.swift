// Tutorial, step 1: find the tag.
import CoreBlueZ

func main() async throws {
    try await BluetoothActor.run {
        let central = CentralManager()
        try await central.scanForPeripherals(options: ScanOptions(duration: .seconds(5))) { peripheral, _, rssi in
            print(peripheral.address?.description ?? "?", peripheral.displayName, rssi ?? 0, "dBm")
        }
    }
}

do { try await main() } catch { print(error) }
