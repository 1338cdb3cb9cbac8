import CoreBlueZ

extension PeripheralManager {
    /// How long a program waits for bluetoothd at its end. bluetoothd forgets what a program offers when the program's
    /// connection to the bus ends (src/gatt-database.c and src/advertising.c: client_disconnect_cb), so a longer wait
    /// gains nothing.
    package static let withdrawalLimit = Duration.seconds(5)

    /// Ends all services and advertisements, all at the same time, and waits until bluetoothd has replied, but not
    /// beyond the limit.
    ///
    /// - Parameters:
    ///   - limit: the longest wait.
    ///   - note: gets a line for users if bluetoothd takes more than a second, and another at the limit.
    package func withdrawAll(
        within limit: Duration = withdrawalLimit, noting note: @escaping @BluetoothActor (String) -> Void
    ) async {
        let ends = advertisements
        let withdrawal = Withdrawal(ends.count + 1)
        await withCheckedContinuation { continuation in
            withdrawal.wait(continuation, limit, note)
            for end in ends { end.stop { withdrawal.replied() } }
            unpublishAll { withdrawal.replied() }
        }
    }
}

/// The replies for which a program waits at its end.
@BluetoothActor private final class Withdrawal {
    private static let patience = Duration.seconds(1)

    private var missing: Int
    private var continuation: CheckedContinuation<Void, Never>?
    private var timers: [ScheduledCall] = []

    init(_ count: Int) {
        missing = count
    }

    func wait(
        _ continuation: CheckedContinuation<Void, Never>, _ limit: Duration,
        _ note: @escaping @BluetoothActor (String) -> Void
    ) {
        self.continuation = continuation
        timers = [
            BluetoothActor.after(min(Self.patience, limit)) {
                note("Waiting for bluetoothd, which has not replied yet")
            },
            BluetoothActor.after(limit) { [weak self] in
                note("bluetoothd has not replied; it removes what a program has offered when the program has ended")
                self?.finish()
            },
        ]
    }

    func replied() {
        missing -= 1
        if missing == 0 { finish() }
    }

    private func finish() {
        for timer in timers { timer.cancel() }
        timers = []
        continuation?.resume()
        continuation = nil
    }
}
