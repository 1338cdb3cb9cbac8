// Handlers of the main actor: each is delivered by one hop, all of them in order.
import CoreBlueZ
import FoundationEssentials

@MainActor final class TagView {
    private(set) var title = ""
    private(set) var value: Data?
    private(set) var error: BluetoothError?
    private var observation: EventObservation?

    func follow(_ tag: Peripheral) {
        observation = tag.observe(
            BluetoothActor.onMainActor { [weak self] snapshot in
                self?.title = "\(snapshot.name ?? "A tag") is \(snapshot.state)"
            })
    }

    func read(_ tag: Peripheral) {
        let done = BluetoothActor.onMainActor { [weak self] (value: Data?, error: BluetoothError?) in
            self?.value = value
            self?.error = error
        }
        BluetoothActor.perform {
            tag.service(0x180A).characteristic(0x2A29).readValue(completion: done)
        }
    }
}

let central = await CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
let tag = try await central.firstPeripheral()
let view = TagView()
view.follow(tag)
try await tag.connectAndDiscover([0x180A])
view.read(tag)
while view.value == nil, view.error == nil { try await BluetoothActor.sleep(for: .milliseconds(20)) }
print(view.title, view.value.map { String(decoding: $0, as: UTF8.self).escapedForTerminal() } ?? "")
try await tag.disconnect()
