import BlueZDBus
import BlueZScript
import CoreBlueZ
import FoundationEssentials

/// The standard output, on its own thread, so that a slow reader does not block anything else.
@BluetoothActor final class OutputQueue {
    /// How many bytes may wait.
    static let limit = 1 << 20

    /// Called with the error when nothing more can be written.
    var failureHandler: (@BluetoothActor (CommandFailure) -> Void)?
    private let loop: EventLoop
    private var waiting = 0
    private var isAbandoned = false
    private var flushed: [CheckedContinuation<Void, Never>] = []

    init() throws(CommandFailure) {
        guard let loop = try? EventLoop(name: "gatt stdout") else {
            throw CommandFailure(.unavailable, "The system has no thread left")
        }
        self.loop = loop
    }

    /// Writes after the waiting data.
    ///
    /// - Returns: false if too much waits; then nothing is written.
    func write(_ data: Data) -> Bool {
        guard !data.isEmpty else { return true }
        guard waiting + data.count <= Self.limit else { return false }
        waiting += data.count
        _ = loop.schedule(after: .zero) { [weak self] in
            var failure: CommandFailure?
            do throws(CommandFailure) { try StandardOutput.write(data) } catch { failure = error }
            BluetoothActor.perform { [failure] in self?.wrote(data.count, failure) }
        }
        return true
    }

    /// Waits until all is written, or the task is cancelled.
    func flush() async {
        guard waiting > 0, !isAbandoned else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if waiting > 0 { flushed.append(continuation) } else { continuation.resume() }
            }
        } onCancel: {
            BluetoothActor.perform { self.endFlushing() }
        }
    }

    /// Ends all waits of `flush`, even if data is not written.
    func abandon() {
        isAbandoned = true
        endFlushing()
    }

    private func wrote(_ count: Int, _ failure: CommandFailure?) {
        waiting -= count
        if let failure {
            failureHandler?(failure)
            abandon()
        }
        if waiting == 0 { endFlushing() }
    }

    private func endFlushing() {
        for continuation in flushed { continuation.resume() }
        flushed = []
    }
}
