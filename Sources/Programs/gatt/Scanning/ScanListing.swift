import BlueZAdvertisements
import CoreBlueZ

/// The devices of a scan: which are listed, when again, and what is new of them.
@BluetoothActor final class ScanListing {
    /// A device, whose address may change.
    enum Device: Hashable {
        case address(BluetoothAddress)
        /// The name that stands before an IRK.
        case identity(String)
    }

    /// What is told of a device.
    struct Line {
        let device: Device
        /// What the device advertises, without the events that were told before; nil if that is not decoded.
        let advertisement: Advertisement?
        /// Whether it is more than a repetition.
        let isNew: Bool

        /// The name that stands before the IRK of a device whose address changes.
        var identity: String? {
            if case .identity(let name) = device { name } else { nil }
        }

        @BluetoothActor func name(of peripheral: Peripheral) -> String? { identity ?? peripheral.name }

        /// What was decoded, if anything was.
        var text: String? { advertisement.flatMap { $0.parts.isEmpty ? nil : $0.text } }

        /// Its formats.
        var formats: String? { advertisement.flatMap { $0.parts.isEmpty ? nil : $0.formats } }
    }

    /// What is remembered of a device.
    private struct Known {
        /// A device may advertise two names in turn.
        var isNamed = false
        var advertisement: Advertisement?
    }

    /// How many devices are remembered. Then all are forgotten, and listed once more.
    private static let limit = 10_000

    private let name: DeviceName?
    private let decoder: AdvertisementDecoder?
    private let count: Int?
    private var devices: [Device: Known] = [:]
    /// How many devices were found.
    private(set) var found = 0

    /// - Parameters:
    ///   - name: which devices are listed; nil for all.
    ///   - decoder: nil if nothing is decoded.
    ///   - count: how many devices are listed.
    init(_ name: DeviceName?, _ decoder: AdvertisementDecoder?, count: Int? = nil) {
        self.name = name
        self.decoder = decoder
        self.count = count
    }

    /// Whether enough devices were found.
    var isFull: Bool { count.map { found >= $0 } ?? false }

    /// Takes what a device advertises now.
    ///
    /// - Returns: what is told of it; nil if it is not one of those that are listed.
    func add(_ peripheral: Peripheral) -> Line? {
        guard !isFull, let address = peripheral.address else { return nil }
        let device = decoder?.keys.identity(of: address).map { Device.identity($0) } ?? .address(address)
        let before = devices[device]
        if before == nil {
            guard matches(peripheral, device) else { return nil }
            if devices.count == Self.limit { devices = [:] }
            found += 1
        }
        let now = decoder?.decode(peripheral.advertisement, from: address)
        let isNamed = peripheral.name != nil
        devices[device] = Known(isNamed: isNamed || before?.isNamed == true, advertisement: now)
        let isFound = before.map { isNamed && !$0.isNamed } ?? true
        guard let now else { return Line(device: device, advertisement: nil, isNew: isFound) }
        let (told, isNew) = now.told(after: before?.advertisement)
        return Line(device: device, advertisement: told, isNew: isFound || isNew && !told.parts.isEmpty)
    }

    private func matches(_ peripheral: Peripheral, _ device: Device) -> Bool {
        guard let name else { return true }
        if case .identity(name.text) = device { return true }
        return name.match(peripheral) != nil
    }
}

extension Advertisement {
    /// What a device tells that it hasn't told before: the parts without the events of those that it repeats. And whether
    /// anything is new, apart from counters.
    fileprivate func told(after before: Advertisement?) -> (Advertisement, isNew: Bool) {
        var told = self
        var isNew = before == nil || before?.parts.count != parts.count
        for index in parts.indices {
            guard let earlier = before?.parts.first(where: { $0.source == parts[index].source }) else { continue }
            if parts[index].repeats(earlier) { told.parts[index].events = [] }
            isNew = isNew || !told.parts[index].events.isEmpty || !parts[index].tellsTheSame(as: earlier)
        }
        return (told, isNew)
    }
}

extension AdvertisementPart {
    fileprivate func tellsTheSame(as other: AdvertisementPart) -> Bool {
        readings == other.readings && problem == other.problem && format == other.format
    }
}
