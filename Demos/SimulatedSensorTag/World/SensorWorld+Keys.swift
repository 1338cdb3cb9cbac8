extension SensorWorld {
    /// When keys change in a round of ten seconds, and which are down from then on: bit 0 left, bit 1 right.
    private static let round: [(time: Double, keys: UInt8)] = [
        (0, 0), (2, 0b01), (2.5, 0), (5, 0b10), (5.75, 0), (8, 0b01), (8.25, 0b11), (8.5, 0b10), (8.75, 0),
    ]
    private static let length = 10.0

    /// The keys that are down: bit 0 left, bit 1 right.
    public func keys(at time: Double) -> UInt8 {
        let position = time - (time / Self.length).rounded(.down) * Self.length
        return Self.round.last { $0.time <= position }?.keys ?? 0
    }

    /// The next time at which a key is pressed or released.
    public func nextKeyChange(after time: Double) -> Double {
        let start = (time / Self.length).rounded(.down) * Self.length
        let times = Self.round.dropFirst().map { start + $0.time } + [start + Self.length + Self.round[1].time]
        return times.first { $0 > time } ?? time + Self.length
    }
}
