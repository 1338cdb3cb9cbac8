// The same script with the async forms.
import BlueZScript
import CoreBlueZ

BluetoothScript.run {
    let central = CentralManager(knownPeripheralNames: ["SensorTag"])
    let tag = try await central.firstPeripheral()
    try await tag.connectAndDiscover()
    let maker = try await tag.service(0x180A).characteristic(0x2A29).readValue()
    print("Made by", String(decoding: maker, as: UTF8.self).escapedForTerminal())
}
