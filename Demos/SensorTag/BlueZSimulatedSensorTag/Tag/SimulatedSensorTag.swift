import BlueZSimulator

/// A SensorTag of Texas Instruments that behaves like its firmware, in a changing environment.
///
/// A sensor measures the `environment` while a central has it on. The tag refuses the same requests as the firmware,
/// and forgets everything at the end of a connection. Keep a reference to it: the peripheral does not.
@SimulatorActor public final class SimulatedSensorTag: SimulatedPeripheralDelegate {
    /// The model.
    public let model: SensorTagModel
    /// Its peripheral in the simulator.
    public let peripheral: SimulatedPeripheral
    /// The surroundings to measure.
    public let environment: SensorEnvironment

    private let clock: @SimulatorActor () -> Double
    private(set) var sensors: [Sensor] = []
    private lazy var connectionControl = ConnectionControl(of: self)
    private lazy var inputOutput = InputOutput(of: self)
    private lazy var battery = BatteryReporter(of: self)
    private lazy var keys = KeyReporter(of: self)

    /// Adds a tag in range; it advertises.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - bluez: the simulator.
    ///   - address: six bytes in hexadecimal separated by colons; nil means the model's.
    ///   - environment: its surroundings.
    ///   - clock: the time of the environment in seconds; nil counts from now.
    /// - Throws: `DBusError` if the address is invalid or taken.
    public convenience init(
        _ model: SensorTagModel = .cc2541,
        in bluez: SimulatedBlueZ,
        address: String? = nil,
        environment: SensorEnvironment = SensorEnvironment(),
        clock: (@SimulatorActor () -> Double)? = nil
    ) throws {
        self.init(
            model, as: try bluez.add(model.specification(address: address)), environment: environment, clock: clock)
    }

    /// Gives a peripheral of the model's specification the behaviour of a tag.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - peripheral: the peripheral, whose delegate this becomes.
    ///   - environment: its surroundings.
    ///   - clock: the time of the environment in seconds; nil counts from now.
    public init(
        _ model: SensorTagModel,
        as peripheral: SimulatedPeripheral,
        environment: SensorEnvironment = SensorEnvironment(),
        clock: (@SimulatorActor () -> Double)? = nil
    ) {
        self.model = model
        self.peripheral = peripheral
        self.environment = environment
        let start = SuspendingClock().now
        self.clock = clock ?? { start.duration(to: SuspendingClock().now) / .seconds(1) }
        sensors = model.designs.map { $0.sensor.init($0, of: self) }
        peripheral.delegate = self
    }

    /// The time of the environment, in seconds.
    public var time: Double { clock() }

    // MARK: SimulatedPeripheralDelegate

    /// Shows the connection's parameters and begins to report keys.
    public func peripheralDidConnect(_ peripheral: SimulatedPeripheral) {
        connectionControl.connected()
        battery.connected()
        keys.connected()
    }

    /// Turns all sensors off and resets everything.
    public func peripheralDidDisconnect(_ peripheral: SimulatedPeripheral) {
        keys.disconnected()
        for sensor in sensors { sensor.reset() }
        connectionControl.disconnected()
        inputOutput.disconnected()
        battery.disconnected()
    }

    /// Checks and carries out writes as the firmware does.
    public func peripheral(
        _ peripheral: SimulatedPeripheral,
        write value: [UInt8],
        to characteristic: SimulatedCharacteristic,
        request: AttributeRequest
    ) {
        for sensor in sensors where sensor.write(value, to: characteristic, request) { return }
        if connectionControl.write(value, to: characteristic, request) { return }
        if inputOutput.write(value, to: characteristic, request) { return }
        guard value.count == 1 else { return request.fail(.invalidAttributeValueLength) }
        characteristic.value = value
        request.respond()
    }
}
