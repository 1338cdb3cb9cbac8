import FoundationEssentials

/// The data that a peripheral has advertised.
///
/// BlueZ merges packets, so this is a snapshot of everything received, not the content of one packet.
public struct AdvertisementData: Hashable, Codable, Sendable {
    /// The local name, complete or shortened. BlueZ replaces it with the device name (0x2A00), which it reads once
    /// connected.
    public var localName: String?
    /// The UUIDs of the services that the peripheral advertises. After the first connection, they are those of all its
    /// services, because BlueZ keeps one list for both (src/device.c).
    public var serviceUUIDs: [BluetoothUUID] = []
    /// Manufacturer data, by the company identifier that the Bluetooth SIG assigned.
    public var manufacturerData: [UInt16: Data] = [:]
    /// Service data, by the service's UUID.
    public var serviceData: [BluetoothUUID: Data] = [:]
    /// The transmit power in dBm, or nil if it was not advertised.
    public var txPowerLevel: Int?
    /// The advertising flags (Core Specification Supplement, part A, 1.3). Nil if bluetoothd does not report them;
    /// before 5.78 it does so only with `--experimental`.
    public var flags: Data?
    /// Other advertised structures: their content by type (Assigned Numbers, 2.3), without length and type. bluetoothd
    /// omits the types that it reads itself, which the other properties contain, and those for pairing and mesh
    /// networks (src/shared/ad.c: type_reject_list). Empty before 5.78, unless bluetoothd runs with `--experimental`.
    /// bluetoothd signals only changes of Transport Discovery Data (0x26). The others are those of the device's first
    /// report.
    public var structures: [UInt8: Data] = [:]
    /// The appearance, an assigned number, or nil if it was not advertised. See `AssignedNumbers.appearanceName(_:)`.
    public var appearance: UInt16?

    /// Creates empty data.
    public init() {}
}

extension AdvertisementData {
    /// The received signal strength of an advertisement for which the controller has none (Core Specification, volume 4,
    /// part E, 7.7.65.2). bluetoothd passes it on.
    package static let unavailableSignalStrength = 127

    /// The signal strength in dBm that a controller or bluetoothd has reported; nil if it is not available.
    package static func signalStrength(reported: Int) -> Int? {
        reported == unavailableSignalStrength ? nil : reported
    }

    /// The text of a local name, which ends with its first zero byte (BlueZ: src/eir.c, eir_parse and name2utf8).
    package static func name(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
