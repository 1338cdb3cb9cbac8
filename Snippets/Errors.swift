// Tells errors apart by their code.
import CoreBlueZ

await BluetoothActor.run {
    let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
    do throws(BluetoothError) {
        let tag = try await central.firstPeripheral(timeout: .seconds(20))
        try await tag.connect()
        try await tag.discoverServices()
        // The keys can notify; they cannot be read.
        try await tag.service(0xFFE0).characteristic(0xFFE1).readValue()
    } catch {
        switch error.code {
        case .timedOut, .connectionTimedOut: print("Is the tag awake? Press its side button.")
        case .att, .notPermitted: print("The tag refused:", error.attError?.description ?? error.message)
        case .accessDenied, .daemonUnavailable, .adapterOff: print("This machine:", error.message)
        default: print(error)
        }
    }
    // BlueZ keeps a link whose program ends, and a connected tag does not advertise.
    for peripheral in central.peripherals where peripheral.isConnected {
        try? await peripheral.disconnect()
    }
}
