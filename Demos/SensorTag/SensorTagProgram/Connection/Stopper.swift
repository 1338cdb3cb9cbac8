import BlueZScript
import CoreBlueZ

/// Ends the session once, for the first reason.
@BluetoothActor package final class Stopper {
    package enum Reason {
        case interrupted
        case outputClosed
        case finished
        case failed(CommandFailure)
    }

    package private(set) var reason: Reason?
    private var whenStopped: [@BluetoothActor () -> Void] = []

    package init() {}

    package var isStopped: Bool { reason != nil }

    package func stop(_ reason: Reason) {
        guard self.reason == nil else { return }
        self.reason = reason
        let bodies = whenStopped
        whenStopped = []
        for body in bodies { body() }
    }

    /// Runs `body` when the session ends, or immediately if it has ended.
    package func whenStopped(_ body: @escaping @BluetoothActor () -> Void) {
        if isStopped { body() } else { whenStopped.append(body) }
    }

    /// Waits until the session ends.
    package func wait() async {
        await withCheckedContinuation { continuation in whenStopped { continuation.resume() } }
    }
}
