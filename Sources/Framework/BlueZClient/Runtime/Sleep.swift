import BlueZDBus

/// A wait until a time has passed or the task is cancelled. Use it once.
@BluetoothActor package final class Sleep {
    private(set) var isCancelled = false
    private var isOver = false
    private var continuation: CheckedContinuation<Void, Never>?
    private var token: ScheduledCall?

    func start(_ continuation: CheckedContinuation<Void, Never>, _ duration: Duration) {
        guard !isOver else { return continuation.resume() }
        self.continuation = continuation
        token = BluetoothActor.after(duration) { self.finish() }
    }

    /// Called when the task is cancelled, perhaps before the wait begins or after it has ended.
    func cancel() {
        guard !isOver else { return }
        isCancelled = true
        token?.cancel()
        finish()
    }

    private func finish() {
        isOver = true
        continuation?.resume()
        continuation = nil
    }
}
