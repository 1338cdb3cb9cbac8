import BlueZDBus

/// A closure that runs only on the first call.
final class Once: Sendable {
    private let body: Lock<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) { self.body = Lock(body) }

    @Sendable func run() {
        let body = body.withLock { $0.take() }
        body?()
    }
}
