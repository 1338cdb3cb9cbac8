import CommandLineSupport
import CoreBlueZ
import DBus
import Glibc

/// Runs a command to its end, however that comes, and gives back what it holds.
final class Runner: Sendable {
    private let isOutputClosed = Lock(false)
    private let outputToken = Lock<EventLoop.Token?>(nil)

    /// Runs the command and ends the process with its status, or by the signal that asked for the end.
    @MainActor static func run(_ command: any SessionCommand) async {
        await Runner().run(command)
    }

    /// Everything is on Bluetooth's thread, the end too: going back to the main thread would start others.
    @MainActor private func run(_ command: any SessionCommand) async {
        let work: Task<Void, Never> = Task { @BluetoothActor [self] in
            await BluetoothActor.run {
                let session = Session()
                let status = await self.status(of: command, in: session)
                // A task of its own: this one may be cancelled, and then nothing could be waited for.
                await Task { @BluetoothActor in await session.finish() }.value
                self.end(status)
            }
        }
        let sources = SignalWatch.shared.start { work.cancel() }
        if command.isStreaming { watchOutput { work.cancel() } }
        await work.value
        withExtendedLifetime(sources) {}
    }

    private func end(_ status: ExitStatus) -> Never {
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

    private func report(_ failure: CommandFailure) -> ExitStatus {
        let isAskedFor = SignalWatch.shared.number != nil || isOutputClosed.withLock { $0 }
        if !isAskedFor, !failure.message.isEmpty { Progress.error(failure.message) }
        return failure.status
    }

    /// A poll for nothing tells of the closed pipe alone.
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
