import BlueZPrintableText
import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import SensorTagProgram

/// The monitor on a terminal.
@BluetoothActor final class ScreenView: TagView {
    private(set) var state = MonitorState()
    private let signalStrength: @BluetoothActor () -> Int?
    private var noticeEnd: Double?
    private static let noticeTime = 6.0
    /// Row keys in their order; a tag has fewer sensors than keys.
    private static let keys: [Character] = Array("1234567890")

    func lines(_ size: ScreenSize) -> [StyledLine] {
        let now = Uptime.now
        if let noticeEnd, now > noticeEnd {
            state.notice = ""
            self.noticeEnd = nil
        }
        return MonitorScreen.lines(state, now: now, size: size)
    }

    /// Whether something can be calibrated now.
    var canCalibrate: Bool { state.canCalibrate }

    /// The sensor that a key switches.
    func sensor(for key: Character) -> String? {
        state.rows.first { $0.key == key }?.sensor
    }

    /// - Parameter signalStrength: returns it in dBm, if known.
    init(signalStrength: @escaping @BluetoothActor () -> Int?) {
        self.signalStrength = signalStrength
    }

    func found(_ tag: SensorTag) {
        state.device = "\(tag.deviceText.escapedForTerminal())"
        state.generation = tag.likelyGeneration?.description
        state.rssi = signalStrength()
    }

    func linkChanged(_ link: TagLink) {
        // The time since the loss of the link counts from the first failure.
        if case .lost(let reason, _) = link, case .lost(_, let since) = state.link {
            state.link = .lost(reason, since: since)
        } else {
            state.link = link
        }
    }

    func tagIsReady(_ tag: SensorTag, _ sensors: [SensorTagService]) {
        state.generation = tag.generation?.description
        state.firmware = tag.firmware?.description
        state.rssi = signalStrength()
        guard state.rows.isEmpty else { return }
        state.rows = zip(Self.keys, sensors).flatMap { key, sensor in
            SensorTagService.rows(of: sensor.name).map { row in
                MonitorState.Row(
                    key: key, sensor: sensor.name, name: row,
                    canBeCalibrated: TagConnection.canCalibrate(sensor))
            }
        }
    }

    func attach(to sensor: SensorTagService, of tag: SensorTag) {
        sensor.setShownReadingHandler { [weak self] shown in
            for reading in shown.rowReadings {
                self?.state.add(reading.fields, reading.value, to: reading.row, at: Uptime.now)
            }
        } failure: { [weak self] error in
            self?.notice(error.message)
        }
    }

    func sensorChanged(_ sensor: SensorTagService, _ status: SensorStatus) {
        // A row is on with its first reading.
        if status != .on { state.set(status, of: sensor.name) }
    }

    func notice(_ text: String) {
        state.notice = text.escapedForTerminal()
        noticeEnd = Uptime.now + Self.noticeTime
    }
}

/// A recording, and the monitor without a terminal: one line per reading, and the rest on the standard error.
@BluetoothActor final class LinesView: TagView {
    private let writer: ReportWriter
    /// Called with the reason when a sensor can't be switched on that wasn't on before.
    private let failed: @BluetoothActor (BluetoothError) -> Void
    /// Whether a link has begun or ended here. Who has connected the tag already has said so.
    private var hasChanged = false
    /// The sensors that were on.
    private var used: Set<String> = []

    init(_ writer: ReportWriter, failed: @escaping @BluetoothActor (BluetoothError) -> Void) {
        self.writer = writer
        self.failed = failed
    }

    func linkChanged(_ link: TagLink) {
        switch link {
        case .connecting: Messages.say("Connecting...")
        case .connected where hasChanged: Messages.say("Connected")
        case .lost(let reason, _): Messages.say("\(reason); reconnecting...")
        case .connected, .ending: break
        }
        hasChanged = true
    }

    func tagIsReady(_ tag: SensorTag, _ sensors: [SensorTagService]) {
        guard hasChanged else { return }
        let firmware = tag.firmware.map { ", firmware \($0)" } ?? ""
        Messages.say("\(tag.generation?.description ?? "Unknown") SensorTag \(tag.deviceText)\(firmware)")
    }

    func attach(to sensor: SensorTagService, of tag: SensorTag) {
        sensor.setShownReadingHandler { [writer] reading in
            writer.write(reading.report, device: tag.deviceText)
        } failure: { error in
            Messages.error("\(error)")
        }
    }

    func sensorChanged(_ sensor: SensorTagService, _ status: SensorStatus) {
        switch status {
        case .on: used.insert(sensor.name)
        case .failed(let error) where used.contains(sensor.name): Messages.error(error.message)
        case .failed(let error): failed(error)
        case .off, .waiting: break
        }
    }

    func notice(_ text: String) {
        Messages.say(text)
    }
}
