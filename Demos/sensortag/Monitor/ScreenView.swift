import CoreBlueZ
import PrintableText
import SensorTag

/// The monitor on a terminal.
@BluetoothActor final class ScreenView: MonitorView {
    private(set) var state = MonitorState()
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

    /// Whether there is something to calibrate now.
    var canCalibrate: Bool { state.canCalibrate }

    /// The sensor that a key switches.
    func sensor(for key: Character) -> String? {
        state.rows.first { $0.key == key }?.sensor
    }

    func found(_ tag: SensorTag, rssi: Int?) {
        state.device = "\(tag.deviceText.escapedForTerminal())"
        state.generation = tag.likelyGeneration?.description
        state.rssi = rssi
    }

    func linkChanged(_ link: MonitorState.Link) {
        // The time since the loss of the link counts from the first failure.
        if case .lost(let reason, _) = link, case .lost(_, let since) = state.link {
            state.link = .lost(reason, since: since)
        } else {
            state.link = link
        }
    }

    func tagIsReady(_ tag: SensorTag, _ sensors: [SensorTagService], rssi: Int?) {
        state.generation = tag.generation?.description
        state.firmware = tag.firmware?.description
        state.rssi = rssi
        guard state.rows.isEmpty else { return }
        state.rows = zip(Self.keys, sensors).flatMap { key, sensor in
            SensorTagService.monitorRows(of: sensor.name).map { row in
                MonitorState.Row(
                    key: key, sensor: sensor.name, name: row,
                    canBeCalibrated: MonitorSession.canCalibrate(sensor))
            }
        }
    }

    func attach(to sensor: SensorTagService, of tag: SensorTag) {
        sensor.setShownReadingHandler { [weak self] shown in
            for reading in shown.monitorReadings {
                self?.state.add(reading.fields, reading.value, to: reading.row, at: Uptime.now)
            }
        } failure: { [weak self] error in
            self?.notice(error.message)
        }
    }

    func sensorChanged(_ sensor: SensorTagService, _ status: MonitorState.Row.Status) {
        state.set(status, of: sensor.name)
    }

    func notice(_ text: String) {
        state.notice = text.escapedForTerminal()
        noticeEnd = Uptime.now + Self.noticeTime
    }
}

/// The monitor if there is no terminal: one line per reading, and the rest on the standard error.
@BluetoothActor final class LinesView: MonitorView {
    private let writer: ReportWriter

    init(_ writer: ReportWriter) {
        self.writer = writer
    }

    func linkChanged(_ link: MonitorState.Link) {
        switch link {
        case .connecting: Progress.say("Connecting...")
        case .connected: Progress.say("Connected")
        case .lost(let reason, _): Progress.say("\(reason); reconnecting...")
        case .ending: break
        }
    }

    func tagIsReady(_ tag: SensorTag, _ sensors: [SensorTagService], rssi: Int?) {
        let firmware = tag.firmware.map { ", firmware \($0)" } ?? ""
        Progress.say("\(tag.generation?.description ?? "Unknown") SensorTag \(tag.deviceText)\(firmware)")
    }

    func attach(to sensor: SensorTagService, of tag: SensorTag) {
        sensor.setShownReadingHandler { [writer] reading in
            writer.write(reading.report, device: tag.deviceText)
        } failure: { error in
            Progress.error("\(error)")
        }
    }

    func sensorChanged(_ sensor: SensorTagService, _ status: MonitorState.Row.Status) {
        if case .failed(let reason) = status { Progress.error(reason) }
    }

    func notice(_ text: String) {
        Progress.say(text)
    }
}
