import BlueZAdvertisements
import CoreBlueZ

/// The devices of a scan: which are listed, when again, and what is new of them.
@BluetoothActor final class ScanListing {
    /// What is told of a device.
    struct Line {
        let device: DecodedDevices.Device
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

    /// How many devices are remembered. Then all are forgotten, and listed once more.
    private static let limit = 10_000

    private let name: DeviceName?
    private let devices: DecodedDevices?
    private let count: Int?
    /// Whether the name was known. A device may advertise two names in turn.
    private var isNamed: [DecodedDevices.Device: Bool] = [:]
    /// How many devices were found.
    private(set) var found = 0

    /// - Parameters:
    ///   - name: which devices are listed; nil for all.
    ///   - devices: what decodes; nil if nothing is decoded.
    ///   - count: how many devices are listed.
    init(_ name: DeviceName?, _ devices: DecodedDevices?, count: Int? = nil) {
        self.name = name
        self.devices = devices
        self.count = count
    }

    /// Whether enough devices were found.
    var isFull: Bool { count.map { found >= $0 } ?? false }

    /// Takes what a device advertises now.
    ///
    /// - Returns: what is told of it; nil if it is not one of those that are listed.
    func add(_ peripheral: Peripheral) -> Line? {
        guard !isFull, let address = peripheral.address else { return nil }
        let device = devices?.device(address) ?? .address(address)
        let before = isNamed[device]
        if before == nil {
            guard matches(peripheral, device) else { return nil }
            if isNamed.count == Self.limit { isNamed = [:] }
            found += 1
        }
        isNamed[device] = before == true || peripheral.name != nil
        let isFound = before.map { !$0 && peripheral.name != nil } ?? true
        guard let devices else { return Line(device: device, advertisement: nil, isNew: isFound) }
        let (advertisement, isNew) = devices.decode(peripheral.advertisement, from: address)
        return Line(
            device: device, advertisement: advertisement, isNew: isFound || isNew && !advertisement.parts.isEmpty)
    }

    private func matches(_ peripheral: Peripheral, _ device: DecodedDevices.Device) -> Bool {
        guard let name else { return true }
        if case .identity(name.text) = device { return true }
        return name.match(peripheral) != nil
    }
}
