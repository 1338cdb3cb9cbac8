// A model of a SensorTag for a user interface: on the main actor, observable, live; tried on a simulated tag.
import BlueZObservation
import BlueZSensorTag
import BlueZSimulatedSensorTag
import BlueZSimulator
import CoreBlueZ
import Observation

@MainActor @Observable final class SensorTagModel {
    let device: PeripheralModel
    private(set) var pressure: Double?
    private(set) var humidity: Double?
    private(set) var error: BluetoothError?

    @ObservationIgnored private let tag: SensorTag

    init(_ tag: SensorTag) {
        self.tag = tag
        device = PeripheralModel(tag)
    }

    func start() {
        let barometer = BluetoothActor.onMainActor { [weak self] (reading: BarometerReading?, error) in
            self?.pressure = reading?.pressureHectopascals
            self?.error = error
        }
        let humidity = BluetoothActor.onMainActor { [weak self] (reading: HumidityReading?, error) in
            self?.humidity = reading?.relativeHumidityPercent
            self?.error = error
        }
        let failed = BluetoothActor.onMainActor { [weak self] (error: BluetoothError?) in self?.error = error }
        BluetoothActor.perform { [tag] in
            tag.barometer.readingHandler = barometer
            tag.humidity.readingHandler = humidity
            tag.connect { error in
                if error != nil { return failed(error) }
                tag.prepare { _, error in
                    if error != nil { return failed(error) }
                    tag.barometer.turnOn(completion: failed)
                    tag.humidity.turnOn(completion: failed)
                }
            }
        }
    }
}

let bluez = try await SimulatedBlueZ()
let simulated = try await SimulatorActor.run { try SimulatedSensorTag(.cc2650, in: bluez) }
let bus = BusAddress.address(bluez.address)
let central = await SensorTagManager(bus: bus)
let tag = try await central.firstPeripheral(as: SensorTag.self)
let model = SensorTagModel(tag)
model.start()
while model.pressure == nil || model.humidity == nil {
    if let error = model.error { throw error }
    try await BluetoothActor.sleep(for: .milliseconds(100))
}
print(model.device.displayName, model.device.state, model.pressure ?? 0, "hPa", model.humidity ?? 0, "%")
try await tag.disconnect()
withExtendedLifetime(simulated) {}
