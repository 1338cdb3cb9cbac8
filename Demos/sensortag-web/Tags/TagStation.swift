import CommandLineSupport
import CoreBlueZ
import DBus
import FoundationEssentials
import JSONLine
import SensorTag
import SensorTagProgram

/// All tags in range: finds them, and carries out the page's commands.
@BluetoothActor final class TagStation {
    private let central: SensorTagManager
    private let hub: EventHub
    private let recordings: RecordingFolder
    private var tags: [String: WebTag] = [:]
    private var problem: String?
    private var isChanged = false
    private var watch: Task<Void, any Error>?

    /// How often the page gets the state at most.
    private static let pace = Duration.milliseconds(100)
    /// How often to check whether tags are still in range.
    private static let look = Duration.seconds(5)

    /// - Parameter isStoring: whether tags are remembered across the program's runs.
    init(bus address: String?, adapter: String?, hub: EventHub, recordings: RecordingFolder, isStoring: Bool) {
        central = SensorTagManager(bus: address.map { .address($0) } ?? .system, adapter: adapter)
        self.hub = hub
        self.recordings = recordings
        guard isStoring else { return }
        do throws(BluetoothError) {
            central.storedPeripherals = try StoredPeripherals(application: "sensortag")
        } catch {
            Message.say("Tags are not remembered: \(error)")
        }
    }

    /// Scans until `stop`, whatever happens to Bluetooth.
    func start() {
        let options = ScanOptions(allowDuplicates: true, resumes: true)
        central.scanForPeripherals(options: options) { [weak self] tag, _, rssi in
            if let tag = tag as? SensorTag { self?.found(tag, rssi) }
        } completion: { [weak self] error in
            self?.problem = error?.description
            self?.changed()
        }
        for case let tag as SensorTag in central.retrieveStoredPeripherals() { stored(tag) }
        for case let tag as SensorTag in central.retrieveConnectedPeripherals() where tag.likelyGeneration != nil {
            found(tag, nil)
        }
        watch = Task { [weak self] in
            while !Task.isCancelled {
                try await Task.sleep(for: Self.look)
                self?.lookAround()
            }
        }
    }

    /// Switches all sensors off and disconnects all tags, in parallel.
    ///
    /// - Returns: the failures, if any.
    func stop() async -> CommandFailure? {
        watch?.cancel()
        central.stopScan()
        let endings = tags.values.map { tag in Task { await tag.disconnect() } }
        var failure: CommandFailure?
        for ending in endings { failure = await failure.adding(ending.value) }
        return failure
    }

    /// A tag of an earlier run, which BlueZ still knows.
    private func stored(_ tag: SensorTag) {
        guard let id = tag.address?.description else { return }
        tags[id] = WebTag(id: id, tag, in: self, isStored: true)
        changed()
    }

    private func found(_ tag: SensorTag, _ rssi: Int?) {
        guard let id = tag.address?.description else { return }
        let known = tags[id] ?? WebTag(id: id, tag, in: self)
        tags[id] = known
        known.wasSeen(as: tag, rssi: rssi)
    }

    private func lookAround() {
        problem = central.state == .poweredOn ? nil : "Bluetooth cannot be used now: \(central.state)"
        for (id, tag) in tags where tag.isGone { tags[id] = nil }
        for tag in tags.values { tag.lookAround() }
        changed()
    }

    // MARK: For the tags

    /// Looks for a tag that bluetoothd has forgotten.
    func find(again tag: SensorTag) async throws(BluetoothError) -> SensorTag {
        let address = tag.address
        return try await central.firstPeripheral(as: SensorTag.self) { found, _ in found.address == address }
    }

    /// Begins a recording.
    func record(_ tag: WebTag, sensors: [String]) throws -> Recording {
        try Recording(in: recordings, device: tag.id, sensors: sensors, at: Date())
    }

    /// Passes a reading on to the browsers.
    func send(reading: some Encodable) {
        guard hub.count > 0, let json = try? JSONLine.text(reading) else { return }
        hub.send(reading: json)
    }

    /// Sends the state soon.
    func changed() {
        guard !isChanged else { return }
        isChanged = true
        Task { [weak self] in
            try await Task.sleep(for: Self.pace)
            self?.sendState()
        }
    }

    private func sendState() {
        isChanged = false
        let tags = tags.values.sorted { $0.id < $1.id }.map(\.snapshot)
        if let json = try? JSONLine.text(StationSnapshot(problem: problem, tags: tags)) { hub.send(snapshot: json) }
    }

    // MARK: For the page

    /// Begins a command of the page; its result appears in the state.
    ///
    /// - Returns: the error if it cannot be carried out.
    func perform(_ command: PageCommand) -> String? {
        guard let tag = tags[command.tag] else { return "There is no tag \(command.tag)" }
        guard command.action == .forget else { return tag.perform(command) }
        Task {
            await tag.disconnect()
            do throws(BluetoothError) {
                try await central.forgetPeripheral(tag.tag)
                central.removePeripheral(tag.tag)
                tags[tag.id] = nil
            } catch {
                tag.notice(error.message)
            }
            changed()
        }
        return nil
    }

    /// The recording of a tag, by the last part of its path.
    func recording(named name: String) -> Recording? {
        tags.values.first { $0.recordingName == name }?.recording
    }
}
