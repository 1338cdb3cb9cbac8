import BlueZDBus
import BlueZJSONLine
import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import FoundationEssentials
import SensorTagProgram

/// All tags in range: finds them, and carries out the page's commands.
@BluetoothActor final class TagStation {
    private let central: SensorTagManager
    private let hub: EventHub
    private let recordings: RecordingFolder
    private var tags: [String: WebTag] = [:]
    private var problem: String? { didSet { if problem != oldValue { changed() } } }
    private var sending: (due: ContinuousClock.Instant, task: Task<Void, any Error>)?
    private var watch: Task<Void, any Error>?
    /// Differs for each start of the program, after which the numbers of readings begin again.
    private let run = Access.newToken()

    /// How often the page gets the state at most, and if only signal strengths and numbers of readings have changed.
    private static let pace = Duration.milliseconds(100)
    static let slowPace = Duration.seconds(1)
    /// The most tags in the list, because anyone can invent tags. Those that are connected, stored, or that advertise
    /// repeatedly keep their place.
    nonisolated static let mostTags = 64
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
            Messages.say("Tags are not remembered: \(error)")
        }
    }

    /// Scans until `stop`, also after Bluetooth was unavailable.
    func start() {
        let options = ScanOptions(allowDuplicates: true, resumes: true)
        central.scanForPeripherals(options: options) { [weak self] tag, _, rssi in
            if let tag = tag as? SensorTag { self?.found(tag, rssi) }
        } completion: { [weak self] error in
            self?.problem = error?.description
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
        guard let known = tags[id] ?? add(tag, id) else { return }
        known.wasSeen(as: tag, rssi: rssi)
    }

    /// Adds a tag; nil if the list is full.
    private func add(_ tag: SensorTag, _ id: String) -> WebTag? {
        if tags.count >= Self.mostTags {
            guard let (other, _) = tags.first(where: { $0.value.isReplaceable }) else { return nil }
            tags[other] = nil
        }
        let added = WebTag(id: id, tag, in: self)
        tags[id] = added
        changed()
        return added
    }

    private func lookAround() {
        problem = central.state == .poweredOn ? nil : "Bluetooth cannot be used now: \(central.state)"
        for (id, tag) in tags where tag.isGone {
            tags[id] = nil
            changed()
        }
        for tag in tags.values { tag.lookAround() }
    }

    // MARK: For the tags

    /// Begins a recording.
    func record(_ tag: WebTag, sensors: [String]) throws -> Recording {
        try Recording(in: recordings, device: tag.id, sensors: sensors, at: Date())
    }

    /// Passes a reading on to the browsers.
    func send(reading: String) { hub.send(reading: reading) }

    /// Sends the state soon.
    func changed(within time: Duration = pace) {
        let due = ContinuousClock.now + time
        if let sending, sending.due <= due { return }
        sending?.task.cancel()
        let task = Task { [weak self] in
            try await Task.sleep(until: due)
            self?.sendState()
        }
        sending = (due, task)
    }

    private func sendState() {
        sending = nil
        hub.send(
            snapshot: Self.state(run: run, problem: problem, tags: tags.values.sorted { $0.id < $1.id }.map(\.state)))
    }

    /// The state as a JSON object: an identifier of this run of the program, why no tags can be found, if so, and the
    /// tags, which are JSON objects themselves.
    nonisolated static func state(run: String, problem: String?, tags: [String]) -> String {
        let problem = problem.flatMap { try? JSONLine.text($0) }.map { "\"problem\":\($0)," } ?? ""
        return "{\(problem)\"run\":\"\(run)\",\"tags\":[\(tags.joined(separator: ","))]}"
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

    /// The last readings of a tag; nil if there is no such tag.
    func history(of id: String, seconds: Int) -> HistoryStream? {
        tags[id].map { tag in
            let query = ReadingHistory.Query(seconds: seconds, time: Date().timeIntervalSince1970, last: tag.count)
            return HistoryStream(of: id, query, in: self)
        }
    }

    /// Some of the last readings of a tag; nil if there is no such tag.
    func readings(
        of id: String, _ query: ReadingHistory.Query, after number: Int, atMost count: Int
    ) -> [ReadingHistory.Entry]? {
        tags[id]?.history.readings(query, after: number, atMost: count)
    }
}
