import BlueZSimulator

/// One sensor of a running tag. Subclasses define what they measure and what their configuration means.
@SimulatorActor class Sensor {
    /// What a written configuration does.
    enum Effect {
        case on, off, none
        /// The configuration is not even stored.
        case refused
    }

    /// TI's ATT_ERR_INVALID_VALUE, an application error.
    static let invalidValue = ATTError(rawValue: 0x80)

    let design: SensorDesign
    private(set) weak var tag: SimulatedSensorTag?
    private(set) var isOn = false
    /// The time between two measurements, without the measuring. The period's characteristic may say otherwise.
    private(set) var interval: Duration
    private var timer: ScheduledCall?

    required init(_ design: SensorDesign, of tag: SimulatedSensorTag) {
        self.design = design
        self.tag = tag
        interval = design.initialPeriod
    }

    // MARK: What differs

    /// What a configuration of the right length does. Unknown values are stored and do nothing.
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

    /// Called when it was turned off, even by the end of a connection.
    func turnedOff() {}

    // MARK: The characteristics

    var data: SimulatedCharacteristic? { characteristic(design.data) }
    var configuration: SimulatedCharacteristic? { characteristic(design.configuration) }
    var period: SimulatedCharacteristic? { design.period.flatMap(characteristic) }
    var calibration: SimulatedCharacteristic? { design.calibration.flatMap(characteristic) }

    private func characteristic(_ number: UInt16) -> SimulatedCharacteristic? {
        tag?.peripheral[.ti(design.service)]?[.ti(number)]
    }

    /// A central writes; the answer is sent before anything happens.
    ///
    /// - Returns: false if the characteristic is not this sensor's.
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
        request.answer()
    }

    private func configure(_ value: [UInt8], _ request: AttributeRequest) {
        guard value.count == design.initialConfiguration.count else {
            return request.fail(.invalidAttributeValueLength)
        }
        let effect = effect(of: value)
        if effect != .refused { configuration?.value = value }
        request.answer()
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

    /// Leaves zeros in the data, which are notified if the central still listens.
    private func turnOff() {
        guard isOn else { return }
        stop()
        if design.forgetsPeriod { period?.value = [design.defaultPeriod] }
        if !design.clearsOnConfiguration { clear() }
    }

    private func clear() {
        publish([UInt8](repeating: 0, count: design.length))
    }

    /// The connection has ended: off. The second generation keeps the period. The period of the first reads as the
    /// default, which only firmware 1.3 goes back to: 1.5 goes on at that of the last write.
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

    /// Stores the data, and notifies it if the central asked for that.
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
