import FoundationEssentials

/// The data that a peripheral has advertised.
///
/// BlueZ merges the packets: this is a snapshot of everything received, not the content of one packet.
public struct AdvertisementData: Hashable, Codable, Sendable {
    /// The local name, complete or shortened. BlueZ replaces it with the device name (0x2A00), which it reads once
    /// connected.
    public var localName: String?
    /// The UUIDs of the services that the peripheral advertises. After the first connection, those that it has instead:
    /// BlueZ keeps one list for both (src/device.c).
    public var serviceUUIDs: [BluetoothUUID] = []
    /// Manufacturer data, by the company identifier that the Bluetooth SIG assigned.
    public var manufacturerData: [UInt16: Data] = [:]
    /// Service data, by the service's UUID.
    public var serviceData: [BluetoothUUID: Data] = [:]
    /// The transmit power in dBm.
    public var txPowerLevel: Int?
    /// The advertising flags (Core Specification Supplement, part A, 1.3).
    public var flags: Data?
    /// The appearance, an assigned number.
    public var appearance: UInt16?

    /// Empty data.
    public init() {}
}
