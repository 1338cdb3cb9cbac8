import BlueZServer

/// Advertisements that a peripheral sends one after another, as a thermometer does.
public struct AdvertisementSeries: Hashable, Sendable {
    /// The advertisements. Each is complete: data of the one before are no longer sent, but bluetoothd keeps them.
    public var values: [AdvertisementData]
    /// The time before each advertisement, at least 10 ms; by default one second.
    public var interval: Duration
    /// Whether the first advertisement follows the last; true by default.
    public var repeats: Bool

    /// Creates a series.
    ///
    /// - Parameters:
    ///   - values: the advertisements, in their order.
    ///   - interval: the time before each advertisement.
    ///   - repeats: whether the first advertisement follows the last.
    public init(_ values: [AdvertisementData], every interval: Duration = .seconds(1), repeats: Bool = true) {
        self.values = values
        self.interval = interval
        self.repeats = repeats
    }
}

extension SimulatedPeripheral {
    /// Starts the series of advertisements, if the peripheral is in range of anything.
    func startAdvertisements() {
        advertisementTimer?.cancel()
        advertisementTimer = nil
        if let series = advertisements, medium != nil { wait(for: 0, of: series) }
    }

    private func wait(for index: Int, of series: AdvertisementSeries) {
        guard series.values.indices.contains(index) else { return }
        // Less would be nothing but work.
        advertisementTimer = SimulatorActor.schedule(after: max(series.interval, .milliseconds(10))) { [weak self] in
            guard let self, self.medium != nil else { return }
            self.advertise(series.values[index])
            let isLast = index + 1 == series.values.count
            self.wait(for: isLast && series.repeats ? 0 : index + 1, of: series)
        }
    }

    /// Replaces the advertisement. A new name is also that of the GAP service.
    private func advertise(_ data: AdvertisementData) {
        if let name = data.localName, name != advertisement.localName {
            characteristic(.deviceName)?.value = Array(name.utf8)
        }
        advertisement = data
    }
}
