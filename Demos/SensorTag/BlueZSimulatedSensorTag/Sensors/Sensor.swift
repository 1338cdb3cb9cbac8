import BlueZSimulator

/// One sensor of a running tag. Subclasses define its measurements and the meaning of its configuration.
@SimulatorActor class Sensor {
    /// The effect of a written configuration.
    enum Effect {
        case on, off, none
        /// The configuration is not stored.
        case refused
    }

    /// TI's ATT_ERR_INVALID_VALUE, an application error.
    static let invalidValue = ATTError(rawValue: 0x80)

    let design: SensorDesign
    private(set) weak var tag: SimulatedSensorTag?
    private(set) var isOn = false
    /// The time between two measurements, not including the measurement itself. The period's characteristic may differ.
    private(set) var interval: Duration
    private var timer: SimulatorActor.ScheduledCall?

    required init(_ design: SensorDesign, of tag: SimulatedSensorTag) {
        self.design = design
        self.tag = tag
        interval = design.initialPeriod
    }

    // MARK: For subclasses

    /// The effect of a configuration of the right length. Unknown values are stored and have no effect.
    func effect(of configuration: [UInt8]) -> Effect {
        switch configuration[0] {
        case 0: .off
        case 1: .on
        default: .none
        }
    }

    /// The data at a time of the environment.
    func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] { [] }

    /// Called before the first measurement.
    func turnedOn() {}

    /// Called after it was turned off, even by the end of a connection.
    func turnedOff() {}

    // MARK: The characteristics

    var data: SimulatedCharacteristic? { characteristic(design.data) }
    var configuration: SimulatedCharacteristic? { characteristic(design.configuration) }
    var period: SimulatedCharacteristic? { design.period.flatMap(characteristic) }
    var calibration: SimulatedCharacteristic? { design.calibration.flatMap(characteristic) }

    private func characteristic(_ number: UInt16) -> SimulatedCharacteristic? {
        tag?.peripheral[.ti(design.service)]?[.ti(number)]
    }

    /// A central writes; the response is sent before anything else happens.
    ///
    /// - Returns: false if the characteristic is not one of this sensor's.
    func write(_ value: [UInt8], to characteristic: SimulatedCharacteristic, _ request: AttributeRequest) -> Bool {
        if characteristic === configuration {
            configure(value, request)
        } else if characteristic === period {
            setPeriod(value, request)
        } else {
            return false
        }
        return true
    }

    private func setPeriod(_ value: [UInt8], _ request: AttributeRequest) {
        guard value.count == 1 else { return request.fail(.invalidAttributeValueLength) }
        guard value[0] >= design.minimumPeriod else { return request.fail(Self.invalidValue) }
        period?.value = value
        interval = SensorDesign.periodUnit * Int(value[0])
        request.respond()
    }

    private func configure(_ value: [UInt8], _ request: AttributeRequest) {
        guard value.count == design.initialConfiguration.count else {
            return request.fail(.invalidAttributeValueLength)
        }
        let effect = effect(of: value)
        if effect != .refused { configuration?.value = value }
        request.respond()
        switch effect {
        case .on: turnOn()
        case .off: turnOff()
        case .none, .refused: break
        }
        if design.clearsOnConfiguration { clear() }
    }

    // MARK: Running

    private func turnOn() {
        guard !isOn else { return }
        isOn = true
        turnedOn()
        schedule(after: design.isSlowToStart ? interval + .milliseconds(275) : design.measuring)
    }

    /// Leaves zeros in the data, and notifies them if the central is still subscribed.
    private func turnOff() {
        guard isOn else { return }
        stop()
        if design.forgetsPeriod { period?.value = [design.defaultPeriod] }
        if !design.clearsOnConfiguration { clear() }
    }

    private func clear() {
        publish([UInt8](repeating: 0, count: design.length))
    }

    /// Handles the end of the connection, which turns the sensor off. The second generation keeps the period. The first
    /// generation's reads as the default, but only firmware 1.3 uses that: 1.5 continues with the last written one.
    func reset() {
        stop()
        configuration?.value = design.initialConfiguration
        data?.value = [UInt8](repeating: 0, count: design.length)
        guard let model = tag?.model, model.isFirstGeneration else { return }
        period?.value = [design.defaultPeriod]
        if model.hasOldFirmware { interval = design.initialPeriod }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
        isOn = false
        turnedOff()
    }

    private func schedule(after delay: Duration) {
        timer = SimulatorActor.schedule(after: delay) { [weak self] in self?.measureNext() }
    }

    private func measureNext() {
        guard isOn, let tag else { return }
        publish(measure(tag.environment, at: tag.time))
        schedule(after: interval + design.measuring)
    }

    /// Stores the data, and notifies it if the central is subscribed.
    func publish(_ value: [UInt8]) {
        guard let data, let peripheral = tag?.peripheral else { return }
        data.value = value
        peripheral.notify(value, from: data)
    }
}

/// A sensor whose firmware drops unknown configurations: the write succeeds and changes nothing.
class SecondGenerationSensor: Sensor {
    override func effect(of configuration: [UInt8]) -> Effect {
        switch configuration[0] {
        case 0: .off
        case 1: .on
        default: .refused
        }
    }
}
