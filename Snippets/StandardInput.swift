// A program that takes commands from the standard input while Bluetooth runs.
import BlueZScript
import CoreBlueZ
import Dispatch

/// The lines of the standard input. Waiting for them blocks a thread of its own, not the one of Bluetooth.
let lines = AsyncStream<String> { continuation in
    DispatchQueue(label: "standard input").async {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
    }
}

BluetoothScript.run {
    let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
    let tag = try await central.firstPeripheral()
    tag.disconnectHandler = { _, error in print(error?.message ?? "disconnected") }
    try await tag.connect()
    try await tag.discoverServices()
    print("read, name, or end of input")
    for await line in lines {
        switch line {
        case "read":
            let value = try await tag.service(0x180A).characteristic(0x2A26).readValue()
            print(String(decoding: value, as: UTF8.self).escapedForTerminal())
        case "name": print(tag)
        default: print("There is no command \(line)")
        }
    }
    try await tag.disconnect()
}
