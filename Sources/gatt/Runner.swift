import CommandLineSupport
import CoreBlueZ
import DBus
import Glibc
import Synchronization

/// Runs a command to its end, however that comes, and gives back what it holds.
final class Runner: Sendable {
    private let isOutputClosed = Mutex(false)
    private let outputToken = Mutex<EventLoop.Token?>(nil)

    /// Runs the command and returns the status of the process, where no signal ends it.
    static func run(_ command: any SessionCommand) async -> Int32 {
        await Runner().run(command)
    }

    private func run(_ command: any SessionCommand) async -> Int32 {
        let work = Task { @BluetoothActor [self] in
            await BluetoothActor.run {
                let session = Session()
                let status = await self.status(of: command, in: session)
                // A task of its own: this one may be cancelled, and then nothing could be waited for.
                await Task { @BluetoothActor in await session.finish() }.value
                return status
            }
        }
        let sources = SignalWatch.shared.start { work.cancel() }
        if command.isStreaming { watchOutput { work.cancel() } }
        let status = await work.value
        withExtendedLifetime(sources) {}
        SignalWatch.shared.endBySignal()
        return isOutputClosed.withLock { $0 } ? 0 : status.rawValue
    }

    @BluetoothActor private func status(of command: any SessionCommand, in session: Session) async -> ExitStatus {
        do {
            try await command.run(in: session)
            return .success
        } catch let failure as CommandFailure {
            return report(failure)
        } catch let error as BluetoothError {
            return report(CommandFailure(error))
        } catch {
            return report(CommandFailure(.software, "\(error)"))
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
