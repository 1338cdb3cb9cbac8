/// An observation that `Peripheral.observe(_:)` or `CentralManager.observeEvents(_:)` began. It ends when this object is
/// cancelled or released.
public final class EventObservation: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }

    /// Ends the observation. The handler may still be called with what is already on its way.
    public func cancel() { end() }
}

/// Identifies an observer.
final class ObservationKey: Sendable {}
