import CoreBlueZ
import FoundationEssentials

/// A service of the SensorTag: its characteristics on TI's base address, switching, and the period.
///
/// A sensor has up to three characteristics: data (read, notify), configuration (0 off, otherwise on), and period (1
/// byte, 10 ms). Which of them exist depends on generation and firmware: a service without a period characteristic uses
/// the tag's default. All settings are discarded when the link ends. The tag forgets them too, but a CC2650 keeps its
/// periods.
///
/// Source: TI SensorTag User Guide (CC2541) and CC2650 SensorTag User's Guide, GATT tables.
open class SensorTagService: Service {
    /// TI's base address: `F000xxxx-0451-4000-B000-000000000000`.
    public nonisolated static let baseUUID = BluetoothUUID(high: 0xF000_0000_0451_4000, low: 0xB000_0000_0000_0000)

    /// The name of the characteristic with the measured values.
    public nonisolated static let dataName = "data"
    /// The name of the characteristic that switches the sensor.
    public nonisolated static let configurationName = "configuration"
    /// The name of the characteristic with the time between two measurements.
    public nonisolated static let periodName = "period"

    /// The periods that the sensor accepts.
    public let periodLimits: SensorPeriod.Limits

    /// Whether the sensor is on: notifications and the sensor itself were switched on successfully. False after the
    /// link has ended.
    public private(set) var isOn = false

    /// The period that was last read or written on this link; nil while that is unknown.
    public internal(set) var period: SensorPeriod?

    /// The period to write whenever the sensor is switched on.
    var wantedPeriod: SensorPeriod?
    /// Whether values are measurements: between the write that switches the sensor on and the call of `turnOff`.
    private var isMeasuring = false
    private let queue = StepQueue()

    /// Declares a service on TI's base address.
    ///
    /// - Parameters:
    ///   - name: the program's name for it.
    ///   - offset: the 16 bits that replace the third and fourth bytes of the base address, for example 0xAA00.
    ///   - periodLimits: the periods that the sensor accepts.
    public init(name: String, offset: UInt16, periodLimits: SensorPeriod.Limits = .standard) {
        self.periodLimits = periodLimits
        super.init(name: name, uuid: Self.baseUUID.replacingShort(with: offset), base: Self.baseUUID)
    }

    /// Declares a service whose UUID the Bluetooth SIG assigned.
    public init(name: String, uuid: BluetoothUUID) {
        periodLimits = .standard
        super.init(name: name, uuid: uuid)
    }

    /// The tag that has the service.
    public var tag: SensorTag? { peripheral as? SensorTag }

    // MARK: The sensor's properties

    /// The value for the configuration characteristic that switches the sensor on; by default 1. It is read each time.
    open var onConfiguration: Data { Data([1]) }

    /// The value for the configuration characteristic that switches the sensor off; by default 0.
    open var offConfiguration: Data { Data([0]) }

    /// Called between the subscription and the write that switches the sensor on, for other preparations. By default
    /// does nothing.
    open func willTurnOn(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) { completion(nil) }

    /// Called when the sensor is on, for other writes. By default does nothing.
    open func didTurnOn(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) { completion(nil) }

    /// Called for each value that is a measurement. Override it to decode.
    open func receive(_ payload: Data) {}

    /// Called when the readings end: with nil after `turnOff`, with an error after the loss of the link or the service.
    open func readingsDidEnd(_ error: BluetoothError?) {}

    /// Called when the tag has forgotten its settings, because the sensor was switched off or the link has ended:
    /// discard them too. Overriding methods must call `super`.
    open func reset() {}

    // MARK: Switching

    /// Switches the sensor on: writes the period, if one was set, subscribes, prepares the sensor, and switches it on.
    /// If one of these fails, the earlier ones are undone. A CC2541 with firmware 1.4 or later gets the default period
    /// if none was set: otherwise it would measure at the period of an earlier link.
    ///
    /// - Parameter completion: gets nil when the sensor is on, even if it already was; or the error of the operation
    ///   that failed, or `failed` if the tag reports that the sensor did not pass its self-test.
    public func turnOn(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        perform({ [self] done in switchOn(done) }, completion: completion)
    }

    /// Switches the sensor off: unsubscribes first, so that the final zeros from the tag do not arrive, then switches
    /// the sensor off.
    ///
    /// - Parameter completion: gets nil when the sensor is off, even if it already was; or the error of the operation
    ///   that failed. The sensor then counts as on and can be switched off again.
    public func turnOff(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        perform({ [self] done in switchOff(done) }, completion: completion)
    }

    /// Runs a step when all earlier ones of the service have ended.
    func perform(_ step: @escaping Step, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        queue.enqueue(step, completion: completion)
    }

    private func switchOn(_ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard !isOn || self[Self.dataName]?.isNotifying != true else { return done(nil) }
        let steps: [Step] = [
            writeWantedPeriod,
            { [self] done in setNotifying(true, done) },
            willTurnOn,
            { [self] done in
                isMeasuring = true
                configure(onConfiguration, done)
            },
            checkSelfTest,
            didTurnOn,
        ]
        StepQueue.run(steps) { [self] error in
            if let error { return undo(because: error, done) }
            isOn = true
            done(nil)
        }
    }

    private func undo(because error: BluetoothError, _ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        isMeasuring = false
        setNotifying(false) { [self] _ in
            configure(offConfiguration) { [self] _ in
                isOn = false
                reset()
                done(error)
            }
        }
    }

    private func switchOff(_ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard isOn else { return done(nil) }
        isMeasuring = false
        let steps: [Step] = [
            { [self] done in setNotifying(false, done) },
            { [self] done in configure(offConfiguration, done) },
        ]
        StepQueue.run(steps) { [self] error in
            if let error {
                isMeasuring = isOn && self[Self.dataName]?.isNotifying == true
                return done(error)
            }
            isOn = false
            reset()
            readingsDidEnd(nil)
            done(nil)
        }
    }

    // MARK: From the framework

    /// Passes measurements on to `receive`; values that arrive while the sensor is off are not measurements.
    override open func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
        guard characteristic === self[Self.dataName] else { return }
        if let error {
            let wasOn = isOn
            forget()
            if wasOn { readingsDidEnd(error) }
        } else if isMeasuring, let payload = characteristic.value {
            receive(payload)
        }
    }

    /// Discards everything, as the tag does.
    override open func didDisconnect() {
        forget()
        queue.cancel(BluetoothError(.disconnected, "\(name): the link ended before its turn"))
    }

    private func forget() {
        isOn = false
        isMeasuring = false
        period = nil
        wantedPeriod = nil
        reset()
    }
}
