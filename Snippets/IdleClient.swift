// Connects to the first peripheral and then does nothing, until the link ends. Scripts/measure watches it.

import CoreBlueZ

try await BluetoothActor.run {
    let central = CentralManager()
    let peripheral = try await central.firstPeripheral()
    try await peripheral.connect()
    try await peripheral.discoverServices()
    print("connected to \(peripheral.displayName)")
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        peripheral.disconnectHandler = { _, _ in continuation.resume() }
    }
}
