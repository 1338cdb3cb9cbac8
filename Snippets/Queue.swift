// An application whose Bluetooth closures run on the main queue, as CoreBluetooth's may.
import CoreBlueZ
import Dispatch

@MainActor final class Readings {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
}

let readings = Readings()
do {
    // First thing in the program: once something has run on the actor it is too late.
    try BluetoothActor.use(queue: .main)
    try await BluetoothActor.run {
        let central = CentralManager()
        try await central.scanForPeripherals(options: ScanOptions(duration: .seconds(10))) { peripheral, _, rssi in
            let line = "\(peripheral.displayName) \(rssi ?? 0) dBm"
            // The closure runs on the main queue, so what is the main actor's is at hand.
            MainActor.assumeIsolated { readings.add(line) }
        }
    }
} catch {
    print(error)
}
print(readings.lines.joined(separator: "\n"))
