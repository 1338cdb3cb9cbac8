import BlueZScript
import BlueZSensorTag
import CoreBlueZ

/// Keeps a tag connected and its sensors in the requested state, also when the link is lost.
@BluetoothActor package final class TagConnection {
    /// The tag; another object after bluetoothd has forgotten the device and found it again.
    package private(set) var tag: SensorTag
    private let stopper: Stopper
    private let choose: @BluetoothActor (SensorTag) throws(CommandFailure) -> [SensorTagService]
    private weak var view: (any TagView)?
    /// Whether the tag was ever ready. From then on, the loss of the link is no error, also while sensors are turned on.
    private var wasReady = false
    /// Why the last set-up has failed.
    private var setUpFailure: CommandFailure?
    /// The sensors that should be off.
    private var unwanted: Set<String> = []
    /// The requested periods, in milliseconds: a CC2541 forgets them with the link.
    private var periods: [String: Int] = [:]
    private static let policy = ReconnectPolicy(firstDelay: .seconds(1), longestDelay: .seconds(10))

    /// The period in milliseconds for sensors without a `setPeriod` call; nil leaves it unchanged.
    package var firstPeriod: @BluetoothActor (SensorTagService) -> Int? = { _ in nil }

    /// Called each time that the tag is connected and the wanted sensors were switched on, or have failed.
    package var setUpHandler: @BluetoothActor () -> Void = {}

    /// Creates a connection to one tag.
    ///
    /// - Parameters:
    ///   - tag: the tag.
    ///   - stopper: ends the connection.
    ///   - choose: returns the sensors to show, once the tag is ready.
    package init(
        _ tag: SensorTag,
        until stopper: Stopper,
        choosing choose: @escaping @BluetoothActor (SensorTag) throws(CommandFailure) -> [SensorTagService]
    ) {
        self.tag = tag
        self.stopper = stopper
        self.choose = choose
    }

    /// Connects, and connects again after each loss, until it is stopped. Failing at first is an error.
    package func run(in view: any TagView) async throws {
        self.view = view
        guard let central = tag.central, let address = tag.address else {
            throw CommandFailure(BluetoothError(.peripheralGone, "BlueZ removed \(tag.displayName); scan again"))
        }
        let kept = central.keepConnected(
            to: address, as: SensorTag.self, policy: Self.policy,
            setUp: { [self] tag in
                do {
                    try await setUp(tag)
                } catch {
                    // After the loss of its link, the loss is the reason, which is reported at once.
                    if !Task.isCancelled { setUpFailure = CommandFailure(any: error) }
                    throw error
                }
            })
        stopper.whenStopped { kept.cancel() }
        do {
            try await follow(kept, view)
        } catch {
            await end(kept)
            throw error
        }
        await end(kept)
    }

    /// Ends the attempts. If the program ended before bluetoothd gives one up, its link could still come up, and stay.
    private func end(_ kept: KeptConnection<SensorTag>) async {
        kept.cancel()
        if !tag.isConnected { try? await tag.disconnectOwnLink() }
    }

    /// Shows the states of the connection until it ends.
    private func follow(_ kept: KeptConnection<SensorTag>, _ view: any TagView) async throws {
        for try await state in kept.states() {
            switch state {
            case .disconnected(let error):
                let failure = setUpFailure.take() ?? CommandFailure(error)
                guard wasReady, failure.status != .notFound else { throw failure }
                view.linkChanged(.lost(failure.message, since: Uptime.now))
            case .unavailable(let error?) where !wasReady, .stopped(let error?): throw CommandFailure(error)
            default: break
            }
        }
    }

    private func setUp(_ tag: SensorTag) async throws {
        self.tag = tag
        try await tag.prepare()
        let sensors = try choose(tag)
        if !wasReady {
            for sensor in sensors where periods[sensor.name] == nil { periods[sensor.name] = firstPeriod(sensor) }
        }
        wasReady = true
        view?.tagIsReady(tag, sensors)
        view?.linkChanged(.connected(since: Uptime.now))
        for sensor in sensors {
            view?.attach(to: sensor, of: tag)
            if unwanted.contains(sensor.name) { view?.sensorChanged(sensor, .off) } else { await turnOn(sensor) }
        }
        if tag.isConnected { setUpHandler() }
    }

    private func turnOn(_ sensor: SensorTagService) async {
        view?.sensorChanged(sensor, .waiting)
        do throws(BluetoothError) {
            if let period = periods[sensor.name], sensor.hasPeriod {
                try await sensor.setPeriod(milliseconds: period)
            }
            try await sensor.turnOn()
            view?.sensorChanged(sensor, .on)
            if let battery = sensor as? BatteryService {
                battery.readingHandler?(try await battery.readLevel(), nil)
            }
        } catch {
            if error.code != .disconnected { view?.sensorChanged(sensor, .failed(error)) }
        }
    }

    private func sensor(_ name: String) -> SensorTagService? {
        tag.sensors.first { $0.name == name && $0.isDiscovered }
    }

    // MARK: Requests of the user

    /// Whether the sensor should be on.
    package func wants(_ name: String) -> Bool { !unwanted.contains(name) }

    /// Switches a sensor to the other state, which is restored after a reconnection.
    package func toggle(_ name: String) async {
        await set(name, isOn: !wants(name))
    }

    /// Switches a sensor on or off. The state is restored after a reconnection.
    package func set(_ name: String, isOn: Bool) async {
        guard let sensor = sensor(name), isOn != wants(name) else { return }
        if isOn {
            unwanted.remove(name)
            return await turnOn(sensor)
        }
        unwanted.insert(name)
        do throws(BluetoothError) {
            try await sensor.turnOff()
            view?.sensorChanged(sensor, .off)
        } catch {
            view?.notice(error.message)
        }
    }

    /// Sets a sensor's period, and sets it again after a reconnection.
    ///
    /// - Throws: the error of `SensorTagService.setPeriod(milliseconds:)`, or `notDiscovered` without such a sensor.
    package func setPeriod(milliseconds: Int, of name: String) async throws(BluetoothError) {
        guard let sensor = sensor(name) else {
            throw BluetoothError(.notDiscovered, "This tag has no \(name) sensor")
        }
        try await sensor.setPeriod(milliseconds: milliseconds)
        periods[name] = milliseconds
    }

    /// Whether `calibrate` has an effect on the sensor.
    package static func canCalibrate(_ sensor: SensorTagService) -> Bool {
        switch sensor {
        case is MagnetometerService, is GyroscopeService: true
        case let barometer as BarometerService: barometer.needsCalibration
        default: false
        }
    }

    /// Makes the current magnetic field and rotation the zero points, and reads the barometer's calibration again, if
    /// the tag requires it.
    ///
    /// - Parameter name: only this sensor; nil means all.
    /// - Returns: the names of the sensors that were calibrated.
    package func calibrate(_ name: String? = nil) async throws(BluetoothError) -> [String] {
        var done: [String] = []
        if name ?? tag.magnetometer.name == tag.magnetometer.name, tag.magnetometer.calibrate() {
            done.append(tag.magnetometer.name)
        }
        if name ?? tag.gyroscope.name == tag.gyroscope.name, tag.gyroscope.calibrate() {
            done.append(tag.gyroscope.name)
        }
        if name ?? tag.barometer.name == tag.barometer.name, tag.barometer.isOn, tag.barometer.needsCalibration {
            try await tag.barometer.calibrate()
            done.append(tag.barometer.name)
        }
        return done
    }
}

/// The state of a tag's link; times are seconds of `Uptime`.
package enum TagLink: Equatable, Sendable {
    case connecting
    case connected(since: Double)
    /// The link was lost, for this reason; reconnecting.
    case lost(String, since: Double)
    case ending
}

/// The state of a sensor.
package enum SensorStatus: Equatable, Sendable {
    case off
    case waiting
    case on
    case failed(BluetoothError)
}

/// Shows a tag: a screen, lines, or a page.
@BluetoothActor package protocol TagView: AnyObject, Sendable {
    /// Shows a new state of the link.
    func linkChanged(_ link: TagLink)
    /// Shows the sensors of the tag, which is ready for the first time or again.
    func tagIsReady(_ tag: SensorTag, _ sensors: [SensorTagService])
    /// Begins to show the readings of a sensor.
    func attach(to sensor: SensorTagService, of tag: SensorTag)
    /// Shows a new state of a sensor.
    func sensorChanged(_ sensor: SensorTagService, _ status: SensorStatus)
    /// Shows a message.
    func notice(_ text: String)
}

/// The programs' clock: seconds since its first use.
package enum Uptime {
    private static let start = ContinuousClock.now

    /// The time now.
    package static var now: Double { start.duration(to: .now) / .seconds(1) }
}
