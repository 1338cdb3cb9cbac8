// Closures and awaits mix freely inside `BluetoothActor.run`.
import CoreBlueZ
import Glibc

do {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
        // The closure runs with each peripheral; the await ends after `stopScan`, or after 20 seconds.
        try await central.scanForPeripherals(options: ScanOptions(duration: .seconds(20))) { tag, _, rssi in
            guard tag.state == .disconnected else { return }
            print("found", tag.displayName, rssi.map { "\($0) dBm" } ?? "")
            tag.connect { error in
                if let error { return print(error) }
                tag.discoverServices([0x180A]) { services, error in
                    if let error { return print(error) }
                    tag.service(0x180A).characteristic(0x2A29).readValue { value, error in
                        if let value { print("made by", String(decoding: value, as: UTF8.self).escapedForTerminal()) }
                        if let error { print(error) }
                        tag.disconnect { _ in central.stopScan() }
                    }
                }
            }
        }
    }
} catch {
    print(error)
    exit(1)
}
