import CommandLineSupport
import CoreBlueZ
import SensorTag
import SimulatedSensorTag

/// One run of a command: signals, the simulator if requested, a tag, and one end for one reason.
@BluetoothActor final class Session {
    let options: TagOptions
    let stopper = Stopper()
    /// Where messages for users go.
    var say: @BluetoothActor (String) -> Void = { Progress.say($0) }
    /// Where errors that do not end the command go.
    var complain: @BluetoothActor (String) -> Void = { Progress.error($0) }
    /// The tag in use, which is released at the end.
    var tag: SensorTag?
    private var cut: Task<Void, any Error>?
    /// How long the end may take before the link is cut, which also switches the sensors off.
    private static let patience = Duration.seconds(5)

    init(_ options: TagOptions) {
        self.options = options
    }

    /// Runs `work` on a message bus, the system's if the address is nil; throws if it did not end normally.
    ///
    /// - Parameter models: the tags to simulate, if any.
    func run(
        simulating models: [SensorTagModel]? = nil,
        _ work: @BluetoothActor (String?) async -> Void
    ) async throws(CommandFailure) {
        SignalWatch.shared.start { [stopper] in
            Task { @BluetoothActor in stopper.stop(.interrupted) }
        }
        if let models = models ?? options.simulate.map({ [$0] }) {
            let simulated = try await SimulatedBus.start(models)
            await work(simulated.address)
            await simulated.stop()
        } else {
            await work(nil)
        }
        if case .failed(let failure) = stopper.reason { throw failure }
    }

    /// Runs `work` with a connected and prepared tag; switches its sensors off and disconnects at the end.
    func runWithTag(_ work: @escaping @BluetoothActor (SensorTag) async throws -> Void) async throws(CommandFailure) {
        try await run { bus in
            let finder = TagFinder(options, bus: bus, say: say)
            guard let tag = await interruptibly({ try await finder.find() }) else { return }
            await using(tag) { [self] in
                try await connect(tag)
                try await work(tag)
            }
        }
    }

    /// Runs `work` and releases the tag.
    func using(_ tag: SensorTag, _ work: @escaping @BluetoothActor () async throws -> Void) async {
        self.tag = tag
        stopper.whenStopped { [self] in cutLater() }
        await interruptibly(work)
        stopper.stop(.finished)
        await leave()
        cut?.cancel()
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

    /// Waits for the duration, or forever if there is none, or until the session ends.
    func wait(_ duration: Double?) async throws {
        guard let duration else { return await stopper.wait() }
        try await Task.sleep(for: .seconds(duration))
        stopper.stop(.finished)
    }

    /// A tag that does not answer must not keep the command from ending.
    private func cutLater() {
        cut = Task { [self] in
            try await Task.sleep(for: Self.patience)
            try await tag?.disconnect()
        }
    }
}
