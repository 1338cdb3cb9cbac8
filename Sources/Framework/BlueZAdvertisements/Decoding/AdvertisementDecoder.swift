import FoundationEssentials

/// Decodes advertisements with formats and keys that you choose.
///
/// These formats are built in:
///
/// | Format | What is decoded |
/// | --- | --- |
/// | iBeacon, AltBeacon | everything |
/// | Eddystone | UID, URL, EID and plain TLM; encrypted TLM by name |
/// | BTHome v2 | every object, encrypted or not |
/// | RuuviTag 3 and 5, Ruuvi 6 and E1 | everything |
/// | MiBeacon 2 to 5 | common objects, encrypted or not; reverse-engineered |
/// | ATC, pvvx | everything, encrypted or not; reverse-engineered |
/// | Apple's, Microsoft's, Google's and Samsung's others | by name |
/// | Exposure Notification, Fast Pair, Mesh, Matter | by name |
public struct AdvertisementDecoder: Sendable {
    /// The keys of encrypted formats.
    public var keys: AdvertisementKeys
    private var formats: [AdvertisementSource: [any AdvertisementFormat]] = [:]

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - formats: formats that are asked before those of this library.
    ///   - keys: the keys of encrypted formats.
    public init(formats: [any AdvertisementFormat] = [], keys: AdvertisementKeys = AdvertisementKeys()) {
        self.keys = keys
        for format in formats + Self.builtIn {
            for source in format.sources { self.formats[source, default: []].append(format) }
        }
    }

    static let standard = AdvertisementDecoder()

    private static let builtIn: [any AdvertisementFormat] = [
        AppleFormat(), AltBeaconFormat(), EddystoneFormat(), BTHomeFormat(), RuuviFormat(), MiBeaconFormat(),
        ATCFormat(), NamedFormats(),
    ]

    /// Decodes what a device has advertised. The first format that recognizes a payload decodes it.
    ///
    /// - Parameters:
    ///   - data: the data of the device.
    ///   - address: the device's address, which encrypted formats need.
    public func decode(_ data: AdvertisementData, from address: BluetoothAddress? = nil) -> Advertisement {
        var parts: [AdvertisementPart] = []
        func add(_ source: AdvertisementSource, _ bytes: Data, orFrom other: AdvertisementSource? = nil) {
            let payload = AdvertisementPayload(
                source, [UInt8](bytes), address: address, name: data.localName, keys: keys)
            for formats in [self.formats[source], other.flatMap { self.formats[$0] }] {
                for format in formats ?? [] {
                    let found = format.decode(payload)
                    guard found.isEmpty else { return parts += found }
                }
            }
        }
        for (company, bytes) in Self.sorted(data.manufacturerData) {
            add(.manufacturer(company), bytes, orFrom: .anyManufacturer)
        }
        for (uuid, bytes) in Self.sorted(data.serviceData) { add(.service(uuid), bytes) }
        for (type, bytes) in Self.sorted(data.structures) { add(.structure(type), bytes) }
        return Advertisement(parts: parts)
    }

    /// The entries by their keys. Most devices have one.
    private static func sorted<Key: Comparable>(_ entries: [Key: Data]) -> [(key: Key, value: Data)] {
        entries.count < 2 ? Array(entries) : entries.sorted { $0.key < $1.key }
    }
}
