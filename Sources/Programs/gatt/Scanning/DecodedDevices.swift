import BlueZAdvertisements
import CoreBlueZ

/// What devices have advertised, decoded: tells what is new from what a device repeats.
@BluetoothActor final class DecodedDevices {
    /// A device, whose address may change.
    enum Device: Hashable {
        case address(BluetoothAddress)
        /// The name that stands before an IRK.
        case identity(String)
    }

    /// How many devices are remembered. Then all are forgotten, and told of once more.
    private static let limit = 10_000

    private let decoder: AdvertisementDecoder
    private var last: [Device: Advertisement] = [:]

    init(_ decoder: AdvertisementDecoder) {
        self.decoder = decoder
    }

    /// Which device an address is of.
    func device(_ address: BluetoothAddress) -> Device {
        decoder.keys.identity(of: address).map { .identity($0) } ?? .address(address)
    }

    /// Decodes what a device advertises.
    ///
    /// - Returns: the parts with what the device has not told before: without the events of those that it repeats. And
    ///   whether anything is new, apart from counters.
    func decode(_ data: AdvertisementData, from address: BluetoothAddress) -> (Advertisement, isNew: Bool) {
        let device = device(address)
        let now = decoder.decode(data, from: address)
        if last.count == Self.limit, last[device] == nil { last = [:] }
        let before = last.updateValue(now, forKey: device)
        var told = now
        var isNew = before == nil || before?.parts.count != now.parts.count
        for index in now.parts.indices {
            guard let earlier = before?.parts.first(where: { $0.source == now.parts[index].source }) else { continue }
            if now.parts[index].repeats(earlier) { told.parts[index].events = [] }
            isNew = isNew || !told.parts[index].events.isEmpty || !now.parts[index].tellsTheSame(as: earlier)
        }
        return (told, isNew)
    }
}

extension AdvertisementPart {
    fileprivate func tellsTheSame(as other: AdvertisementPart) -> Bool {
        readings == other.readings && problem == other.problem && format == other.format
    }
}
