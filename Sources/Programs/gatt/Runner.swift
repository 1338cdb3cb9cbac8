import BlueZDBus
import BlueZScript
import CoreBlueZ
import Glibc

/// Runs a command to its end, however it ends, and releases its resources.
final class Runner: Sendable {
    private let isOutputClosed = Lock(false)
    private let outputToken = Lock<EventLoop.Token?>(nil)
    private let session: Task<Session, Never>
    /// How long after a signal the process ends that has nothing to release.
    private static let timeAfterSignal = Duration.milliseconds(800)

    /// - Parameter connects: whether the command will use BlueZ: then connecting need not wait for parsing.
    init(connects: Bool) {
        session = Task { @BluetoothActor in Session(connects: connects) }
    }

    /// Runs the command on the Bluetooth thread and ends the process there, with the command's status or by the signal
    /// that requested the end.
    func run(_ command: any SessionCommand) -> Never {
        SignalWatch.shared.serve {
            let work: Task<Void, Never> = Task { @BluetoothActor [self] in
                await BluetoothActor.run {
                    let session = await session.value
                    let status = await status(of: command, in: session)
                    // In a separate task: this one may be cancelled, and then it could not wait.
                    let failure = await Task { @BluetoothActor in await session.finish() }.value
                    end(status, failure)
                }
            }
            if command.isStreaming { watchOutput { work.cancel() } }
            let endsSoon = type(of: command).endsSoonAfterSignal
            return {
                work.cancel()
                guard endsSoon else { return }
                Task {
                    try? await Task.sleep(for: Self.timeAfterSignal)
                    SignalWatch.shared.endBySignal()
                }
            }
        }
    }

    /// Ends the process without running a command, on the Bluetooth thread, so that nothing else runs there.
    func fail(_ error: any Error) -> Never {
        Task { @BluetoothActor in
            _ = await session.value
            Gatt.end(error)
        }
        SignalWatch.sleepForever()
    }

    /// Ends the process, with the status or by the signal.
    ///
    /// - Parameter failure: the failure if a link remains.
    private func end(_ status: ExitStatus, _ failure: CommandFailure?) -> Never {
        if let failure {
            Progress.error(failure.message)
            exit(isAskedFor || status == .success ? failure.status.rawValue : status.rawValue)
        }
        SignalWatch.shared.endBySignal()
        exit(isOutputClosed.withLock { $0 } ? 0 : status.rawValue)
    }

    @BluetoothActor private func status(of command: any SessionCommand, in session: Session) async -> ExitStatus {
        do {
            try await command.run(in: session)
            return .success
        } catch {
            return report(CommandFailure(any: error))
        }
    }

    /// Whether a signal, or the reader of the output, requested the end.
    private var isAskedFor: Bool { SignalWatch.shared.number != nil || isOutputClosed.withLock { $0 } }

    private func report(_ failure: CommandFailure) -> ExitStatus {
        if !isAskedFor, !failure.message.isEmpty { Progress.error(failure.message) }
        return failure.status
    }

    /// Ends the command when the reader closes the output. Polling for no events reports only that.
    private func watchOutput(_ stop: @escaping @Sendable () -> Void) {
        guard let loop = try? EventLoop(name: "gatt output") else { return }
        let token = loop.addSource(descriptor: STDOUT_FILENO, events: []) { [self] _ in
            isOutputClosed.withLock { $0 = true }
            stop()
            outputToken.withLock { token in
                if let token { loop.removeSource(token) }
            }
        }
        outputToken.withLock { $0 = token }
    }
}
