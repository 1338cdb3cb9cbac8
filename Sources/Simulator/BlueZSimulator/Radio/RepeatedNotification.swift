/// A series of notifications during one subscription. The characteristic retains it until the subscription ends.
@SimulatorActor final class RepeatedNotification {
    private weak var peripheral: SimulatedPeripheral?
    private weak var characteristic: SimulatedCharacteristic?
    private let interval: Duration
    private let next: @SimulatorActor (Int) -> [UInt8]?
    private var count = 0
    private var timer: SimulatorActor.ScheduledCall?

    init(
        _ peripheral: SimulatedPeripheral,
        _ characteristic: SimulatedCharacteristic,
        _ interval: Duration,
        _ next: @escaping @SimulatorActor (Int) -> [UInt8]?
    ) {
        self.peripheral = peripheral
        self.characteristic = characteristic
        self.interval = interval
        self.next = next
    }

    func start(after delay: Duration) {
        if delay > .zero { send(after: delay) } else { send() }
    }

    func end() {
        timer?.cancel()
    }

    private func send(after delay: Duration) {
        timer = SimulatorActor.schedule(after: delay) { [weak self] in self?.send() }
    }

    /// The code that is called here may end the subscription and start another one.
    private func send() {
        guard let characteristic, characteristic.series === self, let value = next(count) else { return }
        guard characteristic.series === self else { return }
        peripheral?.notify(value, from: characteristic)
        count += 1
        if characteristic.series === self { send(after: interval) }
    }
}

extension SimulatedPeripheral {
    /// Sends a series of values while the central's subscription lasts. The series ends when the central unsubscribes
    /// or the link ends, even if the central immediately subscribes again. To start a series with each subscription,
    /// call this method in the delegate's `didSubscribeTo`. A characteristic has one series: each call replaces the one before,
    /// or that of the specification (``CharacteristicSpecification/notifications``).
    ///
    /// - Parameters:
    ///   - characteristic: the characteristic that notifies.
    ///   - interval: the time between two values.
    ///   - delay: the time before the first value. If it is zero, the value is sent immediately.
    ///   - next: gets the number of values sent so far, and returns the next value, or nil to end the series.
    /// - Returns: false, and sends nothing, if no central has subscribed.
    @discardableResult
    public func notify(
        from characteristic: SimulatedCharacteristic,
        every interval: Duration,
        startingAfter delay: Duration = .zero,
        _ next: @escaping @SimulatorActor (Int) -> [UInt8]?
    ) -> Bool {
        guard isConnected, characteristic.isSubscribed else { return false }
        let series = RepeatedNotification(self, characteristic, interval, next)
        characteristic.series = series
        series.start(after: delay)
        return true
    }

    /// Starts the series of the specification.
    func notifySeries(of characteristic: SimulatedCharacteristic) {
        guard let series = characteristic.specification.notifications, !series.values.isEmpty else { return }
        let (values, limit) = (series.values, series.repeats ? .max : series.values.count)
        notify(from: characteristic, every: series.interval, startingAfter: series.interval) { index in
            index < limit ? values[index % values.count] : nil
        }
    }
}

/// Values that a characteristic sends one after another while a central's subscription lasts.
public struct NotificationSeries: Hashable, Sendable {
    /// The values.
    public var values: [[UInt8]]
    /// The time before each value, at least 0; by default one second.
    public var interval: Duration
    /// Whether the first value follows the last; true by default.
    public var repeats: Bool

    /// Creates a series.
    ///
    /// - Parameters:
    ///   - values: the values, in their order.
    ///   - interval: the time before each value, at least 0.
    ///   - repeats: whether the first value follows the last.
    public init(_ values: [[UInt8]], every interval: Duration = .seconds(1), repeats: Bool = true) {
        self.values = values
        self.interval = interval
        self.repeats = repeats
    }
}
