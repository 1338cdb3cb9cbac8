// An application: its model lives on the main actor and uses the async forms.
import CoreBlueZ

@MainActor final class TagModel {
    private(set) var state = "not connected"
    private(set) var manufacturer = ""
    private let central: CentralManager

    init() async {
        central = await CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
    }

    func load() async {
        do {
            let tag = try await central.firstPeripheral(timeout: .seconds(20))
            try await tag.connect()
            state = "connected to \(await tag.displayName)"
            try await tag.discoverServices([0x180A])
            let value = try await tag.service(0x180A).characteristic(0x2A29).readValue()
            manufacturer = String(decoding: value, as: UTF8.self)
            try await tag.disconnect()
            state = "done"
        } catch {
            state = "\(error)"
        }
    }
}

let model = await TagModel()
await model.load()
print(model.state, model.manufacturer)
