import CommandLineSupport
import CoreBlueZ
import SensorTag

/// Where the monitor shows events.
@BluetoothActor protocol MonitorView: AnyObject {
    /// The state of the link has changed.
    func linkChanged(_ link: MonitorState.Link)
    /// The tag is ready, for the first time or again: these are its sensors.
    func tagIsReady(_ tag: SensorTag, _ sensors: [SensorTagService], rssi: Int?)
    /// A sensor should report its readings to the view.
    func attach(to sensor: SensorTagService, of tag: SensorTag)
    /// A sensor was switched.
    func sensorChanged(_ sensor: SensorTagService, _ status: MonitorState.Row.Status)
    /// A notice to show.
    func notice(_ text: String)
}

/// Keeps a tag connected and its sensors in the requested state, whatever happens to the link.
@BluetoothActor final class MonitorSession {
    let session: Session
    private let chosen: SensorSelection
    private let finder: TagFinder
    private var view: (any MonitorView)?
    /// The sensors that should be off.
    private var unwanted: Set<String> = []
    private(set) var tag: SensorTag
    private static let pause = Duration.seconds(1)

    init(_ session: Session, _ chosen: SensorSelection, _ finder: TagFinder, _ tag: SensorTag) {
        self.session = session
        self.chosen = chosen
        self.finder = finder
        self.tag = tag
    }

    /// Connects, and connects again whenever the link was lost, until the session ends. If the tag cannot be reached at
    /// first, that is an error.
    func run(in view: any MonitorView) async throws {
        self.view = view
        var wasReady = false
        while !session.stopper.isStopped {
            let link = Stopper()
            session.stopper.whenStopped { link.stop(.finished) }
            do {
                try await connect(link)
                wasReady = true
                await link.wait()
                if case .failed(let failure) = link.reason { throw failure }
            } catch {
                let failure = CommandFailure(any: error)
                guard wasReady, failure.status != .notFound else { throw failure }
                guard !session.stopper.isStopped else { return }
                view.linkChanged(.lost(failure.message, since: Uptime.now))
                try await Task.sleep(for: Self.pause)
                await lookAgain((error as? BluetoothError)?.code)
            }
        }
    }

    private func connect(_ link: Stopper) async throws {
        tag.disconnectHandler = { _, error in
            link.stop(.failed(CommandFailure(error ?? BluetoothError(.disconnected, "The tag was disconnected"))))
        }
        try await tag.connect()
        try await tag.prepare()
        let sensors = try chosen.sensors(of: tag, say: session.say)
        view?.tagIsReady(tag, sensors, rssi: finder.rssi)
        view?.linkChanged(.connected(since: Uptime.now))
        for sensor in sensors {
            view?.attach(to: sensor, of: tag)
            if unwanted.contains(sensor.name) { view?.sensorChanged(sensor, .off) } else { await turnOn(sensor) }
        }
    }

    /// bluetoothd forgets a device that was away for a while, and everything when it is restarted.
    private func lookAgain(_ code: BluetoothError.Code?) async {
        guard code == .peripheralGone || code == .daemonUnavailable || code == .busUnavailable else { return }
        do throws(BluetoothError) {
            tag = try await finder.find(again: tag)
            session.tag = tag
        } catch {
            view?.notice(error.message)
        }
    }

    private func turnOn(_ sensor: SensorTagService) async {
        view?.sensorChanged(sensor, .waiting)
        do throws(BluetoothError) {
            try await sensor.turnOn()
            if let battery = sensor as? BatteryService {
                battery.readingHandler?(try await battery.readLevel(), nil)
            }
        } catch {
            if error.code != .disconnected { view?.sensorChanged(sensor, .failed(error.message)) }
        }
    }

    // MARK: What the user wants

    /// Switches a sensor on or off; it stays that way when the link comes back.
    func toggle(_ name: String) async {
        guard let sensor = tag.sensors.first(where: { $0.name == name && $0.isDiscovered }) else { return }
        if unwanted.remove(name) != nil {
            await turnOn(sensor)
        } else {
            unwanted.insert(name)
            do throws(BluetoothError) {
                try await sensor.turnOff()
                view?.sensorChanged(sensor, .off)
            } catch {
                view?.notice(error.message)
            }
        }
    }

    /// Whether `calibrate` has an effect on the sensor.
    static func canCalibrate(_ sensor: SensorTagService) -> Bool {
        switch sensor {
        case is MagnetometerService, is GyroscopeService: true
        case let barometer as BarometerService: barometer.needsCalibration
        default: false
        }
    }

    /// Makes the present magnetic field and rotation zero, and reads the barometer's calibration again, as far as the
    /// tag needs it.
    func calibrate() async {
        var done: [String] = []
        if tag.magnetometer.calibrate() { done.append(tag.magnetometer.name) }
        if tag.gyroscope.calibrate() { done.append(tag.gyroscope.name) }
        if tag.barometer.isOn, tag.barometer.needsCalibration {
            do throws(BluetoothError) {
                try await tag.barometer.calibrate()
                done.append(tag.barometer.name)
            } catch {
                view?.notice(error.message)
                return
            }
        }
        view?.notice(
            done.isEmpty
                ? "There is nothing to calibrate now." : "Calibrated: \(done.joined(separator: ", ")).")
    }
}

/// The monitor's clock: seconds since its first use.
enum Uptime {
    private static let start = ContinuousClock.now

    static var now: Double { start.duration(to: .now) / .seconds(1) }
}
