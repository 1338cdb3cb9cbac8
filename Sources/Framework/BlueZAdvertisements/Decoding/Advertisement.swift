import FoundationEssentials

/// What the data that a device has advertised means, as far as its formats are known.
///
/// ```swift
/// for reading in Advertisement(decoding: data).readings { print(reading) }  // temperature 25.06 °C
/// ```
///
/// It is made from what bluetoothd has merged. Of several payloads that a device sends by turns under the same company or
/// service, each replaces the one before. Unless a scan allows duplicates, bluetoothd doesn't signal data that equals the
/// last: a device that repeats its packets is heard of once, and with 5.87 one whose data never changes only by its signal
/// strength.
public struct Advertisement: Hashable, Sendable {
    /// What was recognized: a part for each payload in a known format, by company, then by service, then by the type of
    /// a structure. Empty if nothing was.
    public var parts: [AdvertisementPart]

    /// Creates an advertisement of these parts.
    public init(parts: [AdvertisementPart] = []) { self.parts = parts }

    /// Decodes data with the formats of this library, which `AdvertisementDecoder` lists.
    ///
    /// - Parameters:
    ///   - data: the data of the device, as its peripheral has it.
    ///   - address: the device's address, which encrypted formats need.
    ///   - keys: the keys of encrypted formats.
    public init(
        decoding data: AdvertisementData, from address: BluetoothAddress? = nil,
        keys: AdvertisementKeys = AdvertisementKeys()
    ) {
        var decoder = AdvertisementDecoder.standard
        decoder.keys = keys
        self = decoder.decode(data, from: address)
    }

    /// The readings of all parts.
    public var readings: [AdvertisementReading] { parts.flatMap(\.readings) }

    /// The events of all parts. Tell them from repeats by `AdvertisementPart.repeats(_:)`.
    public var events: [AdvertisementEvent] { parts.flatMap(\.events) }
}
