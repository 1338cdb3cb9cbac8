import BlueZJSONLine
import BlueZPrintableText
import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import FoundationEssentials
import SensorTagProgram

/// One tag as the page shows it: its state, and the connection while the tag should be connected.
@BluetoothActor final class WebTag {
    let id: String
    private let isStored: Bool
    private(set) var tag: SensorTag
    private(set) var recording: Recording?
    /// The recording before it, while somebody downloads it.
    private weak var earlierRecording: Recording?
    var snapshot: TagSnapshot { didSet { encodedSnapshot = nil } }
    private var encodedSnapshot: String?
    var history = ReadingHistory()
    private(set) weak var station: TagStation?
    private var connection: TagConnection?
    private var keeping: (stopper: Stopper, task: Task<CommandFailure?, Never>)?
    /// How many readings have arrived, of all sensors.
    var count = 0
    private var lastSeen = Uptime.now
    private var timesSeen = 0

    /// The times without an advertisement, in seconds, after which a tag counts as away and is removed from the list. A
    /// tag with fewer than three advertisements is removed when it counts as away: anyone can invent addresses.
    private static let timeouts = (away: 20.0, gone: 300.0)
    /// The longest name that the page gives, in bytes.
    private static let longestName = 64

    /// - Parameter isStored: whether it was found in an earlier run, and not yet in this one.
    init(id: String, _ tag: SensorTag, in station: TagStation, isStored: Bool = false) {
        self.isStored = isStored
        self.id = id
        self.tag = tag
        self.station = station
        snapshot = TagSnapshot(id: id, name: "")
        snapshot.name = name
        if isStored { snapshot.link = .away }
    }

    // MARK: In range

    /// The tag has advertised.
    func wasSeen(as tag: SensorTag, rssi: Int?) {
        lastSeen = Uptime.now
        timesSeen += 1
        if connection == nil { self.tag = tag }
        var now = snapshot
        now.name = name
        now.generation = now.generation ?? tag.likelyGeneration?.description
        if connection == nil { now.link = .seen }
        if now != snapshot { station?.changed() }
        now.rssi = rssi ?? now.rssi
        guard now != snapshot else { return }
        snapshot = now
        station?.changed(within: TagStation.slowPace)
    }

    /// The name that the user gave it, else its own, else its address.
    private var name: String {
        // BlueZ derives the alias of a device without a name from the address.
        guard let alias = tag.alias, !alias.isEmpty, alias != id.replacing(":", with: "-") else {
            return tag.displayName
        }
        return alias.escapedForTerminal()
    }

    /// Its state as a JSON object.
    var state: String {
        if let encodedSnapshot { return encodedSnapshot }
        // Names and numbers can always be encoded.
        let text = (try? JSONLine.text(snapshot)) ?? "{}"
        encodedSnapshot = text
        return text
    }

    /// Checks whether it has been away for a while.
    func lookAround() {
        guard connection == nil, snapshot.link != .away, Uptime.now - lastSeen > Self.timeouts.away else { return }
        snapshot.link = .away
        station?.changed()
    }

    /// Whether it has been away for so long that it is removed from the list.
    var isGone: Bool {
        isExpendable && Uptime.now - lastSeen > (timesSeen < 3 ? Self.timeouts.away : Self.timeouts.gone)
    }

    /// Whether another tag may replace it in a full list.
    var isReplaceable: Bool { isExpendable && Uptime.now - lastSeen > Self.timeouts.away }

    private var isExpendable: Bool { connection == nil && recording == nil && !isStored }

    // MARK: Commands of the page

    /// Begins a command of the page.
    ///
    /// - Returns: the error if it cannot be carried out.
    func perform(_ command: PageCommand) -> String? {
        switch command.action {
        case .connect: connect()
        case .disconnect: Task { await disconnect() }
        case .record: return record(command.isOn ?? false)
        case .forget: return nil
        case .rename: return rename(command.name)
        case .switch, .period, .calibrate, .outputs:
            guard let connection, tag.isConnected else { return "The tag is not connected" }
            return perform(command, with: connection)
        }
        return nil
    }

    private func perform(_ command: PageCommand, with connection: TagConnection) -> String? {
        if command.action == .outputs {
            guard let outputs = command.outputs else { return "Say which outputs are to be on" }
            set(outputs)
            return nil
        }
        guard let name = command.sensor, snapshot.sensors.contains(where: { $0.name == name }) else {
            return "The tag does not have this sensor"
        }
        switch command.action {
        case .switch:
            guard let isOn = command.isOn else { return "Say whether the sensor is to be on" }
            Task { await connection.set(name, isOn: isOn) }
        case .period:
            guard let milliseconds = command.milliseconds else { return "Say which period" }
            attempt { [self] () async throws(BluetoothError) in
                try await connection.setPeriod(milliseconds: milliseconds, of: name)
                showPeriods()
            }
        default:
            attempt { [self] () async throws(BluetoothError) in
                let done = try await connection.calibrate(name)
                notice(done.isEmpty ? "There is nothing to calibrate now" : "Calibrated: \(name)")
            }
        }
        return nil
    }

    private func attempt(_ body: @escaping @BluetoothActor () async throws(BluetoothError) -> Void) {
        Task {
            do throws(BluetoothError) { try await body() } catch { notice(error.message) }
        }
    }

    private func set(_ outputs: [PageCommand.Output]) {
        let bits = outputs.map { output -> IOOutputs in
            switch output {
            case .red: .redLED
            case .green: .greenLED
            case .buzzer: .buzzer
            }
        }
        attempt { [self] () async throws(BluetoothError) in
            try await tag.io.setOutputs(IOOutputs(bits))
            snapshot.outputs = outputs.map(\.rawValue)
            station?.changed()
        }
    }

    private func rename(_ name: String?) -> String? {
        guard let name, name.utf8.count <= Self.longestName else {
            return "Give a name of at most \(Self.longestName) bytes"
        }
        attempt { [self] () async throws(BluetoothError) in
            try await tag.setAlias(name)
            snapshot.name = self.name
            station?.changed()
        }
        return nil
    }

    private func record(_ isOn: Bool) -> String? {
        defer { station?.changed() }
        guard isOn else {
            recording?.end()
            showRecording()
            return nil
        }
        guard !snapshot.sensors.isEmpty else { return "Connect the tag first" }
        guard recording?.isOn != true else { return nil }
        do {
            let next = try station?.record(self, sensors: snapshot.sensors.map(\.name))
            // A slow download keeps no more than one recording's disk space.
            earlierRecording?.discard()
            earlierRecording = recording
            recording = next
        } catch {
            return "The recording cannot begin: \(error)"
        }
        showRecording()
        return nil
    }

    /// The last part of the path of its recording.
    var recordingName: String? { recording.map { _ in id.filter { $0 != ":" } + ".csv" } }

    private func showRecording() {
        guard let recording, let recordingName else { return }
        snapshot.recording = .init(
            isOn: recording.isOn, count: recording.count, path: "/recordings/\(recordingName)")
        if let problem = recording.problem { snapshot.notice = problem }
    }

    // MARK: The link

    private func connect() {
        guard keeping == nil else { return }
        let stopper = Stopper()
        let connection = TagConnection(
            tag, until: stopper,
            choosing: { [weak self] tag in
                self?.tag = tag
                return tag.sensors.filter { $0.isDiscovered && $0 !== tag.connection }
            })
        self.connection = connection
        snapshot.reason = nil
        snapshot.notice = nil
        linkChanged(.connecting)
        let task = Task {
            var reason: String?
            do {
                try await connection.run(in: self)
            } catch {
                if !stopper.isStopped { reason = CommandFailure(any: error).message }
            }
            let failure = await connection.tag.leave()
            if let failure { notice(failure.message) }
            didEnd(reason)
            return failure
        }
        keeping = (stopper, task)
    }

    /// Switches the sensors off and ends the link.
    ///
    /// - Returns: the failures, if any.
    @discardableResult
    func disconnect() async -> CommandFailure? {
        guard let keeping else { return nil }
        linkChanged(.ending)
        keeping.stopper.stop(.finished)
        keeping.task.cancel()
        return await keeping.task.value
    }

    private func didEnd(_ reason: String?) {
        connection = nil
        keeping = nil
        recording?.end()
        showRecording()
        lastSeen = Uptime.now
        snapshot.link = .seen
        snapshot.reason = reason
        snapshot.sensors = []
        snapshot.information = []
        snapshot.outputs = nil
        station?.changed()
    }
}
