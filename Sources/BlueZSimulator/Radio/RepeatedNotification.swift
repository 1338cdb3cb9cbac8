/// A series of notifications during one subscription. The characteristic keeps it until the subscription ends.
@SimulatorActor final class RepeatedNotification {
    private weak var peripheral: SimulatedPeripheral?
    private weak var characteristic: SimulatedCharacteristic?
    private let interval: Duration
    private let next: @SimulatorActor (Int) -> [UInt8]?
    private var count = 0
    private var timer: ScheduledCall?

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

    /// Code called here may end the subscription and start another.
    private func send() {
        guard let characteristic, characteristic.series === self, let value = next(count) else { return }
        guard characteristic.series === self else { return }
        peripheral?.notify(value, from: characteristic)
        count += 1
        if characteristic.series === self { send(after: interval) }
    }
}

extension SimulatedPeripheral {
    /// Sends a series of values while the central's subscription lasts: until it unsubscribes or the link ends, however
    /// soon it comes back. The next subscription starts without a series; call this in the delegate's `didSubscribeTo`.
    /// A characteristic has one series: another call replaces it.
    ///
    /// - Parameters:
    ///   - characteristic: the characteristic that notifies.
    ///   - interval: the time between two values.
    ///   - delay: the time before the first value; if zero, it is sent at once.
    ///   - next: returns the next value, given how many were sent in this series; nil ends it.
    /// - Returns: false, with nothing sent, if nobody is subscribed.
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
}
