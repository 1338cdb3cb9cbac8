import CoreBlueZ
import Dispatch
import FoundationEssentials
import SensorTag
import SystemPackage

/// One run of the command: find, connect, read until something ends it, switch off, disconnect.
@BluetoothActor final class ReadingSession {
    let tagOptions: TagOptions
    let options: ReadingOptions
    let stopper = Stopper()
    private let format: ReportFormat
    private var device = ""
    private var cut: Task<Void, any Error>?
    /// How long the end may take before the link is cut, which switches the sensors off as well.
    private static let patience = Duration.seconds(5)

    init(tag: TagOptions, reading: ReadingOptions) {
        tagOptions = tag
        options = reading
        format = reading.json ? .json : .text
    }

    /// Runs to the end; throws why it did not end as it should.
    func run() async throws(CommandFailure) {
        SignalWatch.ignoreBrokenPipes()
        let sources = SignalWatch().start { [stopper] in
            Task { @BluetoothActor in stopper.stop(.interrupted) }
        }
        defer { for source in sources { source.cancel() } }
        if let model = tagOptions.simulate {
            let simulated = try await SimulatedBus.start(model)
            await run(on: simulated.address)
            await simulated.stop()
        } else {
            await run(on: nil)
        }
        if case .failed(let failure) = stopper.reason { throw failure }
    }

    private func run(on bus: String?) async {
        let finder = TagFinder(tagOptions, bus: bus)
        if let tag = await interruptibly({ try await finder.find() }) {
            stopper.whenStopped { [self] in cutLater(tag) }
            await interruptibly { [self] in try await read(tag) }
            await leave(tag)
            cut?.cancel()
        }
    }

    /// Runs `work` until it is done or the session ends; a failure ends the session.
    @discardableResult
    private func interruptibly<Value: Sendable>(
        _ work: @escaping @BluetoothActor () async throws -> Value
    ) async -> Value? {
        guard !stopper.isStopped else { return nil }
        let task = Task { try await work() }
        stopper.whenStopped { task.cancel() }
        do {
            return try await task.value
        } catch let failure as CommandFailure {
            stopper.stop(.failed(failure))
        } catch let error as BluetoothError {
            stopper.stop(.failed(CommandFailure(error)))
        } catch {
            stopper.stop(.failed(CommandFailure(.inputOutput, "\(error)")))
        }
        return nil
    }

    /// A tag that does not answer must not keep the command from ending.
    private func cutLater(_ tag: SensorTag) {
        cut = Task {
            try await Task.sleep(for: Self.patience)
            try await tag.disconnect()
        }
    }

    private func read(_ tag: SensorTag) async throws {
        device = tag.address?.description ?? tag.displayName
        Progress.say("Connecting to \(TerminalText.escaped(tag.displayName)) (\(device))...")
        tag.disconnectHandler = { [stopper] _, error in
            guard let error else { return }
            stopper.stop(.failed(CommandFailure(error)))
        }
        try await tag.connect()
        let generation = try await tag.prepare()
        let firmware = tag.firmware.map { ", firmware \($0)" } ?? ""
        Progress.say("Connected: \(generation) SensorTag\(firmware)")
        if tag.information.isDiscovered {
            let information = try await tag.information.readInformation()
            for failure in information.failures { Progress.error(failure.description) }
            write(Report(information))
        }
        try await turnOn(tag)
        guard !stopper.isStopped else { return }
        if let duration = options.duration {
            try await Task.sleep(for: .seconds(duration))
            stopper.stop(.durationOver)
        } else {
            await stopper.wait()
        }
    }

    /// Prints a report; a closed pipe ends the session.
    func write(_ report: Report) {
        guard !stopper.isStopped else { return }
        do {
            let line = try format.line(report, device: device, at: Date())
            try FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
        } catch let error as Errno where error == .brokenPipe {
            stopper.stop(.outputClosed)
        } catch {
            stopper.stop(.failed(CommandFailure(.inputOutput, "The output cannot be written: \(error)")))
        }
    }
}
