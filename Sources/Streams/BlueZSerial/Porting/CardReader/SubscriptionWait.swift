import CoreBlueZ

/// A caller that waits for the subscription.
@BluetoothActor final class SubscriptionWait: Cancellable {
    private var completion: (@BluetoothActor (Result<Void, BluetoothError>) -> Void)?
    private var timer: ScheduledCall?

    /// - Parameter timeout: how long to wait. Nil waits until connecting ends, which has its own timeouts.
    init(_ timeout: Duration?, _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void) {
        self.completion = completion
        timer = timeout.map { timeout in
            BluetoothActor.after(timeout) { [weak self] in
                self?.fail(
                    BluetoothError(
                        .timedOut, "The card reader was not subscribed to within \(timeout.roundedText)"))
            }
        }
    }

    func fail(_ error: BluetoothError) { end(.failure(error)) }

    func end(_ result: Result<Void, BluetoothError>) {
        timer?.cancel()
        completion.take()?(result)
    }
}
