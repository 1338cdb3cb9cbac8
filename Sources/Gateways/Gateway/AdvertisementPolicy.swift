import BlueZDBus
import BlueZValues
import GatewayProtocol

/// Decides which advertisements are published, and when: unchanged ones every 10 s, changed ones at most once per
/// second and device, and at most 100 per second in all. If a device has to wait, its latest advertisement is published
/// later.
struct AdvertisementPolicy {
    private struct Heard {
        var advertisement: GatewayAdvertisement
        var heard: BootInstant
        /// The advertisement last published, with its time.
        var published: GatewayAdvertisement?
        var time: BootInstant
        /// The generation in which it was published: see `forgetPublished`.
        var generation: Int
    }

    private let repetition: Duration
    private let interval: Duration
    private let rssiStep: Int
    private var bucket: TokenBucket
    private var devices: [BluetoothAddress: Heard] = [:]
    /// The waiting devices, with the time at which each is due.
    private var due: [BluetoothAddress: BootInstant] = [:]
    private var generation = 0
    /// The start of the generation.
    private var beginning: BootInstant
    /// The start of the next one, if one was requested.
    private var nextGeneration: BootInstant?
    private var nextPruning: BootInstant
    /// How long a device counts as received.
    private static let memory: Duration = .seconds(30)
    private static let limit = 10_000

    init(_ configuration: GatewayConfiguration, now: BootInstant) {
        repetition = configuration.repetition
        interval = configuration.interval
        rssiStep = configuration.rssiStep
        let rate = Double(max(1, configuration.advertisementRate))
        bucket = TokenBucket(rate: rate, burst: rate, now: now)
        beginning = now.advanced(by: .zero - Self.generationTime)
        nextPruning = now
    }

    /// Notes an advertisement.
    mutating func hear(_ advertisement: GatewayAdvertisement, at now: BootInstant) {
        if let nextGeneration, nextGeneration <= now {
            generation += 1
            beginning = nextGeneration
            self.nextGeneration = nil
        }
        let device = advertisement.device
        guard var heard = devices[device] else {
            if devices.count >= Self.limit { forgetOld(at: now) }
            guard devices.count < Self.limit else { return }
            devices[device] = Heard(
                advertisement: advertisement, heard: now, published: nil, time: now, generation: generation)
            due[device] = now
            return
        }
        heard.advertisement = advertisement
        heard.heard = now
        if heard.generation != generation {
            heard.generation = generation
            heard.published = nil
            heard.time = beginning.advanced(by: .zero - interval)
        }
        devices[device] = heard
        guard due[device] == nil else { return }
        let wait = isChange(heard) ? interval : repetition
        let time = heard.time.advanced(by: wait)
        // A repetition is published when the device is received again, not before.
        if isChange(heard) || time <= now { due[device] = max(time, now) }
    }

    private func isChange(_ heard: Heard) -> Bool {
        guard let published = heard.published else { return true }
        if published.data != heard.advertisement.data { return true }
        guard let old = published.rssi, let new = heard.advertisement.rssi else {
            return published.rssi != heard.advertisement.rssi
        }
        return abs(new - old) >= rssiStep
    }

    /// Makes each device due when it is next received, as if it were new: from now on, or from one second after the
    /// last such request.
    mutating func forgetPublished(at now: BootInstant) {
        if nextGeneration == nil { nextGeneration = max(now, beginning.advanced(by: Self.generationTime)) }
    }

    /// The shortest time between two generations, because repetitions must not displace changes.
    private static let generationTime: Duration = .seconds(1)

    /// Removes old devices. It checks all devices, so a flood of them must not trigger it each time.
    private mutating func forgetOld(at now: BootInstant) {
        guard nextPruning <= now else { return }
        nextPruning = now.advanced(by: .seconds(1))
        let time = now.advanced(by: .zero - Self.memory)
        devices = devices.filter { $0.value.heard >= time }
        due = due.filter { devices[$0.key] != nil }
    }

    /// Returns the advertisements to publish now: as many as the limit allows, those that have waited longest first.
    mutating func take(at now: BootInstant) -> [GatewayAdvertisement] {
        var result: [GatewayAdvertisement] = []
        for (device, _) in due.filter({ $0.value <= now }).sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            guard bucket.take(at: now) else { break }
            due[device] = nil
            guard var heard = devices[device] else { continue }
            heard.published = heard.advertisement
            heard.time = now
            devices[device] = heard
            result.append(heard.advertisement)
        }
        return result
    }

    /// Returns the time for the next call of `take`, or nil if nothing is waiting. With many devices, each call checks
    /// all that wait, so 20 calls per second are enough.
    func next(at now: BootInstant) -> BootInstant? {
        due.values.min().map { max($0, now.advanced(by: Self.pause)) }
    }

    /// The time between two checks of waiting devices.
    static let pause: Duration = .milliseconds(50)
}
