import BlueZDBus
import BlueZRecording
import BlueZScript
import BlueZUnixSockets
import BusRecorder
import CBlueZTerminal
import CoreBlueZ
import FoundationEssentials
import Glibc

/// A run of `gatt record`: the program, and the recording of what it does.
@BluetoothActor final class RecordingRun {
    private let file: NewFile
    private var writer: RecordingWriter
    private var failure: CommandFailure?
    private var recorder: BusRecorder?
    private var child: ChildProcess?
    private var watch: DescriptorWatch?
    /// The messages that were reported about the bus.
    private var reported: Set<String> = []

    /// Starts the program; ends this process if that fails.
    static func start(_ command: RecordCommand) -> RecordingRun {
        do throws(CommandFailure) {
            let run = try RecordingRun(command)
            try run.start(command.command)
            return run
        } catch {
            Progress.error(error.message)
            exit(error.status.rawValue)
        }
    }

    private init(_ command: RecordCommand) throws(CommandFailure) {
        let file = try NewFile(command.file, overwrites: command.overwrite, permissions: .ownerReadWrite)
        self.file = file
        let header = RecordingHeader(
            origin: .bluetoothd, began: Int64(Date().timeIntervalSince1970 * 1_000_000), program: command.command)
        do {
            writer = try RecordingWriter(header) { try file.write($0) }
        } catch {
            throw CommandFailure(any: error)
        }
    }

    /// Sends a signal to the program.
    func send(signal: Int32) {
        child?.send(signal: signal)
    }

    private func start(_ words: [String]) throws(CommandFailure) {
        let recorder: BusRecorder
        do throws(DBusError) {
            recorder = try BusRecorder(bus: .system) { [weak self] in self?.append($0) }
        } catch {
            file.discard()
            throw CommandFailure(.unavailable, "The bus cannot be used: \(error.message)")
        }
        self.recorder = recorder
        recorder.failureHandler = { [weak self] in self?.report($0.message) }
        do throws(ChildProcess.Failure) {
            let child = try ChildProcess(words, setting: "DBUS_SYSTEM_BUS_ADDRESS", to: recorder.address)
            self.child = child
            watch = DescriptorWatch(child.descriptor) { [weak self] in self?.childEnded() }
            watch?.wait(for: .readable)
        } catch {
            recorder.close()
            file.discard()
            Progress.error("The program cannot be started: \(error.error.message)")
            // As env and timeout do.
            exit(error.code == ENOENT ? 127 : 126)
        }
    }

    private func append(_ event: RecordedEvent) {
        guard failure == nil else { return }
        do {
            try writer.append(event)
        } catch {
            let failure = CommandFailure(any: error)
            self.failure = failure
            Progress.error("\(failure.message); the program continues without being recorded")
        }
    }

    private func report(_ text: String) {
        if reported.insert(text).inserted { Progress.error(text) }
    }

    private func childEnded() {
        guard let ending = child?.poll() else {
            watch?.wait(for: .readable)
            return
        }
        recorder?.finish { [self] in end(ending) }
    }

    /// Ends this process as the program has ended.
    private func end(_ ending: ChildProcess.Ending) -> Never {
        switch ending {
        case .status(0): exit(failure?.status.rawValue ?? 0)
        case .status(let status): exit(status)
        case .signal(let number):
            // Others would write a core dump of this program.
            if [SIGINT, SIGTERM, SIGHUP, SIGKILL, SIGPIPE].contains(number) { terminal_die_of(number) }
            exit(128 + number)
        }
    }
}
