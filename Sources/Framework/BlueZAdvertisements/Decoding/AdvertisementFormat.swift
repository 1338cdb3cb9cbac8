/// A format of advertisements. Conform to it to add one to an `AdvertisementDecoder`:
///
/// ```swift
/// struct Thermometer: AdvertisementFormat {
///     let sources: [AdvertisementSource] = [.manufacturer(0xFFFF)]
///
///     func decode(_ payload: AdvertisementPayload) -> [AdvertisementPart] {
///         var part = AdvertisementPart("Thermometer", of: payload)
///         if let byte = payload.bytes.first {
///             part.readings = [AdvertisementReading(.temperature, .number(Double(byte) / 4), unit: .celsius)]
///         } else {
///             part.problem = .truncated
///         }
///         return [part]
///     }
/// }
/// ```
public protocol AdvertisementFormat: Sendable {
    /// Where payloads in this format are.
    var sources: [AdvertisementSource] { get }

    /// Decodes a payload from one of the sources. Anything can be in it.
    ///
    /// - Returns: what it means, usually one part; empty if it isn't in this format.
    func decode(_ payload: AdvertisementPayload) -> [AdvertisementPart]
}

/// The place of a payload in an advertisement.
public enum AdvertisementSource: Hashable, Sendable {
    /// The data of a company, by the identifier that the Bluetooth SIG assigned.
    case manufacturer(UInt16)
    /// The data of any company, in `AdvertisementFormat.sources`: for formats that every company uses with its own
    /// identifier.
    case anyManufacturer
    /// The data of a service.
    case service(BluetoothUUID)
    /// Another structure, by its type (Assigned Numbers, 2.3).
    case structure(UInt8)
}
