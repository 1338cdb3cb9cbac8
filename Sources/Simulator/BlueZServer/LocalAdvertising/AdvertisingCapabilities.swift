/// The limits of a controller for advertisements.
package struct AdvertisingCapabilities: Hashable, Sendable {
    /// The number of advertisements at a time.
    package var instances: UInt8
    /// The maximum number of bytes of advertising data, and of a scan response.
    package var maximumLength: UInt8
    /// Whether the controller has the extended advertising of Bluetooth 5.
    package var isExtended: Bool
    /// Whether the controller also has BR/EDR. Otherwise the kernel says so in the Flags of each advertisement.
    package var hasBREDR: Bool

    package init(instances: UInt8 = 5, maximumLength: UInt8 = 31, isExtended: Bool = false, hasBREDR: Bool = true) {
        self.instances = instances
        self.maximumLength = maximumLength
        self.isExtended = isExtended
        self.hasBREDR = hasBREDR
    }

    /// The transmit power that a controller without extended advertising reports, in dBm.
    static let power: Int8 = 0
    /// The transmit power that a controller with extended advertising can set, in dBm.
    static let powers: ClosedRange<Int8> = -20...8

    /// get_supported_adv_flags() of the kernel's net/bluetooth/mgmt.c.
    var flags: AdvertisingFlags {
        var flags: AdvertisingFlags = [.connectable, .discoverable, .txPower, .appearance, .localName]
        if isExtended { flags.formUnion([.on1M, .on2M, .onCoded, .canSetTxPower, .hardwareOffload]) }
        return flags
    }
}

/// The kernel's MGMT_ADV_FLAG_* for an advertisement.
struct AdvertisingFlags: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    static let connectable = Self(rawValue: 1 << 0)
    static let discoverable = Self(rawValue: 1 << 1)
    static let txPower = Self(rawValue: 1 << 4)
    static let appearance = Self(rawValue: 1 << 5)
    static let localName = Self(rawValue: 1 << 6)
    static let on1M = Self(rawValue: 1 << 7)
    static let on2M = Self(rawValue: 1 << 8)
    static let onCoded = Self(rawValue: 1 << 9)
    static let canSetTxPower = Self(rawValue: 1 << 10)
    static let hardwareOffload = Self(rawValue: 1 << 11)
    /// MGMT_ADV_FLAG_SEC_MASK
    static let secondary: Self = [.on1M, .on2M, .onCoded]
}
