import CoreBlueZ
import Observation

/// The content of a Deanna window: the values of one tag, on the main actor, where a user interface can observe them.
///
/// All operations run on `BluetoothActor`, with closures. `BluetoothActor.onMainActor` creates those that run here.
@MainActor @Observable public final class DEAModel {
    /// The current activity, in words.
    public private(set) var status = "Not started"
    /// The tag's name, once one was found.
    public private(set) var name: String?
    /// The air pressure in pascal.
    public private(set) var pressure: Double?
    /// The temperature that the barometer measures, in degrees Celsius.
    public private(set) var barometerTemp: Double?
    /// The temperature of the infrared thermometer, in degrees Celsius.
    public private(set) var ambientTemp: Double?
    /// The temperature of the object in front of the infrared thermometer, in degrees Celsius.
    public private(set) var objectTemp: Double?
    /// Whether both sensors are on.
    public private(set) var isOn = false

    @ObservationIgnored private var tag: DEASensorTag?

    /// Creates a model that shows nothing yet.
    public init() {}

    /// Finds the first tag, connects it, and observes its sensors.
    ///
    /// - Parameters:
    ///   - bus: the message bus.
    ///   - stored: the store of remembered tags; nil remembers none.
    ///   - timeout: how long connecting and discovering may take.
    public func start(bus: BusAddress = .system, stored: StoredPeripherals? = nil, timeout: Duration = .seconds(5)) {
        status = "Scanning"
        let found = BluetoothActor.onMainActor { [weak self] (tag: DEASensorTag) in self?.use(tag, timeout) }
        let ended = BluetoothActor.onMainActor { [weak self] (error: BluetoothError?) in self?.report(error) }
        BluetoothActor.perform {
            let central = DEACentralManager.startShared(bus: bus, stored: stored)
            central.tagHandler = found
            central.startScan(completion: ended)
        }
    }

    /// Switches both sensors off and ends the link.
    public func stop() {
        guard let tag else { return }
        let ended = BluetoothActor.onMainActor { [weak self] (error: BluetoothError?) in self?.report(error) }
        BluetoothActor.perform {
            tag.barometer.turnOff { _ in
                tag.temperature.turnOff { _ in tag.disconnect(completion: ended) }
            }
        }
    }

    private func use(_ tag: DEASensorTag, _ timeout: Duration) {
        guard self.tag == nil else { return }
        self.tag = tag
        status = "Connecting"
        let named = BluetoothActor.onMainActor { [weak self] (name: String) in self?.name = name }
        let ready = BluetoothActor.onMainActor { [weak self] (error: BluetoothError?) in
            self?.status = error?.description ?? "Connected"
        }
        let lost = BluetoothActor.onMainActor { [weak self] (_: Peripheral, _: BluetoothError?) in
            // The error of a failed attempt has more details.
            if self?.status == "Connected" { self?.status = "Disconnected" }
        }
        let weather = BluetoothActor.onMainActor { [weak self] (pressure: Double?, temperature: Double?) in
            self?.pressure = pressure
            self?.barometerTemp = temperature
        }
        let warmth = BluetoothActor.onMainActor { [weak self] (ambient: Double?, object: Double?) in
            self?.ambientTemp = ambient
            self?.objectTemp = object
        }
        let switched = BluetoothActor.onMainActor { [weak self] (isOn: Bool) in self?.isOn = isOn }
        BluetoothActor.perform { [barometer = tag.barometer, temperature = tag.temperature] in
            named(tag.displayName)
            tag.central?.stopScan()
            tag.disconnectHandler = lost
            barometer.changeHandler = { [unowned barometer, unowned temperature] in
                weather(barometer.pressure, barometer.ambientTemp)
                switched(barometer.isOn && temperature.isOn)
            }
            temperature.changeHandler = { [unowned barometer, unowned temperature] in
                warmth(temperature.ambientTemp, temperature.objectTemp)
                switched(barometer.isOn && temperature.isOn)
            }
            tag.connectAndTurnOn(timeout: timeout, completion: ready)
        }
    }

    private func report(_ error: BluetoothError?) {
        if let error { status = error.description }
    }
}
