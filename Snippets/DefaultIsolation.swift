// What a module marks whose default isolation is the main actor, so that Bluetooth's closures can use it.
import CoreBlueZ
import FoundationEssentials

nonisolated struct Celsius {
    let degrees: Double

    init(_ value: Data) { degrees = Double(value.first ?? 0) }
}

nonisolated func text(_ temperature: Celsius) -> String { "\(temperature.degrees) °C" }

@BluetoothActor final class Statistics {
    private(set) var count = 0

    func add(_ temperature: Celsius) { count += 1 }
}

final class Thermometer: Service {
    private(set) var temperature: Celsius?
    let statistics = Statistics()

    init() {
        super.init(name: "thermometer", uuid: 0x1809)
        addCharacteristic("measurement", uuid: 0x2A1C)
    }

    override func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
        guard let value = characteristic.value else { return }
        let temperature = Celsius(value)
        self.temperature = temperature
        statistics.add(temperature)
        print(text(temperature))
    }
}

await BluetoothActor.run { print("declares", Thermometer().characteristics.map(\.name)) }
