// Waits until Bluetooth can be used, and follows its state.
import CoreBlueZ

do {
    try await BluetoothActor.run {
        let central = CentralManager()
        central.stateHandler = { central in
            print(central.state, central.stateError?.message ?? "")
        }
        try await central.waitUntilPoweredOn(timeout: .seconds(10))
    }
} catch {
    print(error)
}
