// Keeps a SensorTag connected that need not be there yet, and reads it whenever there is a link.
import CoreBlueZ
import Glibc

do {
    try await BluetoothActor.run {
        let central = CentralManager()
        for try await state in central.keepConnected(named: "SensorTag").states() {
            switch state {
            case .unavailable(let error): print("waiting for Bluetooth:", error?.description ?? "")
            case .searching: print("searching")
            case .connecting(let tag): print("connecting", tag.displayName)
            case .connected(let tag):
                // A link that breaks meanwhile comes back, and this state with it.
                do {
                    try await tag.discoverServices([0x180A])
                    let maker = try await tag.service(0x180A).characteristic(0x2A29).readValue()
                    print("connected; made by", String(decoding: maker, as: UTF8.self).escapedForTerminal())
                } catch {
                    print(error)
                }
            case .disconnected(let error): print("disconnected:", error)
            case .stopped(let error): print("stopped", error?.description ?? "")
            }
        }
    }
} catch {
    print(error)
    exit(1)
}
