import BlueZScript
import BlueZSensorTag
import BlueZSimulatedSensorTag
import CoreBlueZ
import SensorTagProgram

/// One run of a command, with its tags, the simulator if requested, and the reason for the end.
@BluetoothActor final class TagSession {
    let options: TagOptions
    let stopper = Stopper()
    /// Shows messages for users.
    var say: @BluetoothActor (String) -> Void = { Messages.say($0) }
    /// Shows errors that do not end the command.
    var complain: @BluetoothActor (String) -> Void = { Messages.error($0) }
    /// The tags in use, which are released at the end.
    var tags: [SensorTag] = []
    /// A tag's link ends with its manager.
    private var finders: [TagFinder] = []
    private var cut: Task<Void, any Error>?
    /// Failures at the end.
    private var leaving: CommandFailure?

    init(_ options: TagOptions) {
        self.options = options
    }

    /// Runs `work` on a message bus, the system's if the address is nil; throws if it did not end normally, or if a tag
    /// could not be restored.
    ///
    /// - Parameters:
    ///   - models: the tags to simulate, if any.
    ///   - bus: the address of a simulator's bus, if the command has started one.
    func run(
        simulating models: [SensorTagModel]? = nil,
        on bus: String? = nil,
        _ work: @BluetoothActor (String?) async -> Void
    ) async throws(CommandFailure) {
        SignalWatch.shared.start { [stopper] in
            Task { @BluetoothActor in stopper.stop(.interrupted) }
        }
        if let models = models ?? options.simulatedModels {
            let simulated = try await SimulatedBus.start(models)
            await work(simulated.address)
            await simulated.stop()
        } else {
            await work(bus)
        }
        var failure: CommandFailure?
        if case .failed(let reason) = stopper.reason { failure = reason }
        if let failure = failure.adding(leaving) { throw failure }
    }

    /// Runs `work` with a connected and prepared tag; switches its sensors off and disconnects at the end.
    func runWithTag(_ work: @escaping @BluetoothActor (SensorTag) async throws -> Void) async throws(CommandFailure) {
        try await runWithTags([options]) { for tag in $0 { try await work(tag) } }
    }

    /// Runs `work` with several connected and prepared tags, one for each of the options. Switches their sensors off
    /// and disconnects them at the end.
    func runWithTags(
        _ all: [TagOptions], on bus: String? = nil,
        _ work: @escaping @BluetoothActor ([SensorTag]) async throws -> Void
    ) async throws(CommandFailure) {
        try await run(on: bus) { bus in
            guard let tags = await interruptibly({ [self] in try await find(all, on: bus) }) else { return }
            await using(tags) { [self] in
                for tag in tags { try await connect(tag) }
                try await work(tags)
            }
        }
    }

    private func find(_ all: [TagOptions], on bus: String?) async throws -> [SensorTag] {
        var tags: [SensorTag] = []
        for options in all {
            let finder = TagFinder(options, bus: bus, say: say)
            finders.append(finder)
            let tag = try await finder.find()
            guard !tags.contains(where: { $0.deviceText == tag.deviceText }) else {
                throw CommandFailure(.usage, "\(tag.deviceText) is given twice")
            }
            tags.append(tag)
        }
        return tags
    }

    /// Runs `work` and releases the tags.
    func using(_ tags: [SensorTag], _ work: @escaping @BluetoothActor () async throws -> Void) async {
        self.tags = tags
        stopper.whenStopped { [self] in cutLater() }
        await interruptibly(work)
        stopper.stop(.finished)
        cut?.cancel()
        leaving = await leaving.adding(leave())
    }

    /// Runs `work` until it is done or the session ends; a failure ends the session.
    @discardableResult
    func interruptibly<Value: Sendable>(
        _ work: @escaping @BluetoothActor () async throws -> Value
    ) async -> Value? {
        guard !stopper.isStopped else { return nil }
        let task = Task { try await work() }
        stopper.whenStopped { task.cancel() }
        do {
            return try await task.value
        } catch {
            stopper.stop(.failed(CommandFailure(any: error)))
        }
        return nil
    }

    /// Ends the session after the duration, if there is one.
    func stop(after duration: Duration?) {
        guard let duration else { return }
        let timer = Task {
            try await Task.sleep(for: duration)
            stopper.stop(.finished)
        }
        stopper.whenStopped { timer.cancel() }
    }

    /// Disconnects the tags after a timeout, so that a tag that does not respond does not keep the command from ending.
    private func cutLater() {
        cut = Task { [self] in
            try await Task.sleep(for: SensorTag.leaveTimeout)
            for tag in tags where tag.isConnected { leaving = leaving.adding(tag.noResponse()) }
            for tag in tags { try await tag.disconnectOwnLink() }
        }
    }
}
