/// The data that a peripheral advertises: advertising data and scan response together, as the kernel passes them to
/// bluetoothd.
public struct AdvertisingData: Hashable, Sendable {
    /// The Flags field: 0x02 general discoverable, 0x01 limited, 0x04 BR/EDR not supported. Nil leaves it out.
    public var flags: UInt8?
    /// The complete local name.
    public var localName: String?
    /// The advertised services, in order.
    public var serviceUUIDs: [BluetoothUUID]
    /// Manufacturer data by company identifier.
    public var manufacturerData: [UInt16: [UInt8]]
    /// Service data by service.
    public var serviceData: [BluetoothUUID: [UInt8]]
    /// The transmission power in dBm.
    public var txPower: Int8?
    /// The appearance; 0 leaves it out.
    public var appearance: UInt16
    /// Other structures: their content by type. Types with a property above do not belong here.
    public var structures: [UInt8: [UInt8]]
    /// The time between two reports.
    public var interval: Duration
    /// Whether connections are accepted.
    public var isConnectable: Bool

    /// Makes advertising data.
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
