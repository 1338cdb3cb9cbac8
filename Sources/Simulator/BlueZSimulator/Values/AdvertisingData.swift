import BlueZValues
import FoundationEssentials

/// The data that a peripheral advertises. Advertising data and scan response are one, as the kernel passes them to
/// bluetoothd.
public struct AdvertisingData: Hashable, Sendable {
    /// The Flags field: 0x02 means general discoverable, 0x01 limited discoverable, 0x04 BR/EDR not supported. Nil
    /// omits it.
    public var flags: UInt8?
    /// The complete local name; nil omits it.
    public var localName: String?
    /// The UUIDs of the advertised services, in order.
    public var serviceUUIDs: [BluetoothUUID]
    /// The manufacturer data, by company identifier.
    public var manufacturerData: [UInt16: [UInt8]]
    /// The service data, by the UUID of the service.
    public var serviceData: [BluetoothUUID: [UInt8]]
    /// The transmit power in dBm; nil omits it.
    public var txPower: Int8?
    /// The appearance, an assigned number; 0 omits it.
    public var appearance: UInt16
    /// Other structures: their content by type. Don't use types for which there is a property.
    public var structures: [UInt8: [UInt8]]
    /// The time between two reports.
    public var interval: Duration
    /// Whether connections are accepted.
    public var isConnectable: Bool

    /// Creates advertising data.
    public init(
        flags: UInt8? = 0x06,
        localName: String? = nil,
        serviceUUIDs: [BluetoothUUID] = [],
        manufacturerData: [UInt16: [UInt8]] = [:],
        serviceData: [BluetoothUUID: [UInt8]] = [:],
        txPower: Int8? = nil,
        appearance: UInt16 = 0,
        structures: [UInt8: [UInt8]] = [:],
        interval: Duration = .milliseconds(100),
        isConnectable: Bool = true
    ) {
        self.flags = flags
        self.localName = localName
        self.serviceUUIDs = serviceUUIDs
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
        self.txPower = txPower
        self.appearance = appearance
        self.structures = structures
        self.interval = interval
        self.isConnectable = isConnectable
    }
}

extension AdvertisingData {
    /// The data as bluetoothd's clients see them.
    package var data: AdvertisementData {
        var data = AdvertisementData()
        data.flags = flags.map { Data([$0]) }
        data.localName = localName
        data.serviceUUIDs = serviceUUIDs
        data.manufacturerData = manufacturerData.mapValues { Data($0) }
        data.serviceData = serviceData.mapValues { Data($0) }
        data.txPowerLevel = txPower.map(Int.init)
        data.appearance = appearance == 0 ? nil : appearance
        data.structures = structures.mapValues { Data($0) }
        return data
    }
}
