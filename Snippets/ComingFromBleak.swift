// A program for bleak, and the same here: the article Coming from bleak shows them side by side.
import BlueZScript
import CoreBlueZ

BluetoothScript.run {
    let central = CentralManager(knownPeripheralNames: ["SensorTag"])
    let tag = try await central.firstPeripheral(timeout: .seconds(20))
    try await tag.withConnection {
        try await tag.discoverServices()
        let manufacturer = tag.service(0x180A).characteristic(0x2A29)
        let value = try await manufacturer.readValue()
        print(String(decoding: value, as: UTF8.self).escapedForTerminal())
    }
}
