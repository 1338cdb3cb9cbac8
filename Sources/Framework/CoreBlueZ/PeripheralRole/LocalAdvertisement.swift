import FoundationEssentials

/// What this program advertises: `PeripheralManager.startAdvertising` takes it.
///
/// The content must fit. A legacy advertisement has 31 bytes, of which flags take 3, and a scan response has 31 more,
/// for the name. Each structure takes 2 bytes in addition to its content.
public struct LocalAdvertisement: Hashable, Sendable {
    /// The secondary channel of an extended advertisement (Core Specification, volume 6, part B, 4.4.2.2).
    public enum SecondaryChannel: String, Hashable, Codable, Sendable, CaseIterable {
        /// The physical layer with 1 Mbit/s.
        case oneMegabit = "1M"
        /// The physical layer with 2 Mbit/s.
        case twoMegabit = "2M"
        /// The coded physical layer, with a long range.
        case coded = "Coded"
    }

    /// Whether centrals can connect; true by default. With false, the advertisement is a broadcast.
    public var isConnectable = true
    /// The name, which the scan response carries: at most 29 bytes of UTF-8. Nil, the default, advertises no name.
    public var localName: String?
    /// The services of this device, not necessarily all.
    public var serviceUUIDs: [BluetoothUUID] = []
    /// The services that a central should have.
    public var solicitedServiceUUIDs: [BluetoothUUID] = []
    /// Data by company identifier (Assigned Numbers, 7.1).
    public var manufacturerData: [UInt16: Data] = [:]
    /// Data by service.
    public var serviceData: [BluetoothUUID: Data] = [:]
    /// The kind of device (Assigned Numbers, 2.6); nil advertises none.
    public var appearance: UInt16?
    /// Whether the transmit power is advertised.
    public var includesTxPower = false
    /// Other structures: their content by type (Assigned Numbers, 2.3). BlueZ refuses the types for which there are
    /// properties.
    public var structures: [UInt8: Data] = [:]
    /// Whether the flags say "LE General Discoverable Mode", without which many scanners don't list the device; true by
    /// default. Ignored if it is not connectable, because a broadcast must not be discoverable.
    public var isDiscoverable = true
    /// How long the device is discoverable; nil, the default, means as long as it advertises. Whole seconds.
    public var discoverableTimeout: Duration?
    /// The time after which advertising ends; nil, the default, means no limit. Whole seconds.
    public var timeout: Duration?
    /// How long the advertisement is sent before the next one, if the adapter takes turns; nil leaves that to the
    /// kernel (2 s). Whole seconds.
    public var rotationDuration: Duration?
    /// The shortest and the longest interval between two advertisements, from 20 ms on; nil leaves that to the kernel.
    /// BlueZ before 5.77 ignores it without `--experimental`.
    public var interval: ClosedRange<Duration>?
    /// The transmit power in dBm, from -127 to 20; nil leaves that to the controller. BlueZ before 5.77 ignores it
    /// without `--experimental`.
    public var txPower: Int?
    /// The secondary channel of an extended advertisement; nil, the default, sends a legacy one, which every scanner
    /// hears. The name then counts for the advertisement, if it is connectable.
    public var secondaryChannel: SecondaryChannel?

    /// Creates an advertisement that is connectable and discoverable.
    public init(
        localName: String? = nil, serviceUUIDs: [BluetoothUUID] = [], manufacturerData: [UInt16: Data] = [:]
    ) {
        self.localName = localName
        self.serviceUUIDs = serviceUUIDs
        self.manufacturerData = manufacturerData
    }

    /// The number of bytes of the advertising data, including 3 for flags. If bluetoothd sets none, the kernel of an
    /// adapter without BR/EDR adds them, and before Linux 6.16 it crashes if there is no room (CVE-2025-38303).
    public var length: Int {
        var length = 3
        length += Self.length(of: serviceUUIDs) + Self.length(of: solicitedServiceUUIDs)
        for data in manufacturerData.values { length += 4 + data.count }
        for (service, data) in serviceData { length += 2 + Self.size(of: service) + data.count }
        for data in structures.values { length += 2 + data.count }
        if appearance != nil { length += 4 }
        if includesTxPower { length += 3 }
        return isNameInData ? length + nameLength : length
    }

    /// The number of bytes of the scan response.
    public var scanResponseLength: Int { isNameInData ? 0 : nameLength }

    private var nameLength: Int { localName.map { $0.isEmpty ? 0 : 2 + $0.utf8.count } ?? 0 }

    /// bluetoothd sends no scan response for connectable extended advertisements (src/advertising.c:
    /// generate_adv_data).
    private var isNameInData: Bool { secondaryChannel != nil && isConnectable }

    /// bluetoothd sends a 32-bit UUID as one of 128 bits.
    private static func size(of uuid: BluetoothUUID) -> Int { uuid.short == nil ? 16 : 2 }

    /// UUIDs of one size share a structure.
    private static func length(of uuids: [BluetoothUUID]) -> Int {
        let sizes = uuids.map(size)
        return sizes.reduce(0, +) + 2 * Set(sizes).count
    }
}
