/// What identifies or describes the device.
extension AdvertisementReading.Kind {
    /// The device's address, as it is in the payload.
    public static let address = Self(rawValue: "address")
    /// The last three bytes of the device's address.
    public static let addressEnd = Self(rawValue: "addressEnd")
    /// How many packets the device has sent since it was started.
    public static let advertisingCount = Self(rawValue: "advertisingCount")
    /// The identifier of an AltBeacon: hexadecimal digits, of which 32 or more name the organization.
    public static let beaconIdentifier = Self(rawValue: "beaconIdentifier")
    /// The channel or button that other values belong to.
    public static let channel = Self(rawValue: "channel")
    /// The maker's number for this type of device.
    public static let deviceType = Self(rawValue: "deviceType")
    /// An identifier that changes from time to time, as hexadecimal digits.
    public static let ephemeralIdentifier = Self(rawValue: "ephemeralIdentifier")
    /// The version of the firmware.
    public static let firmwareVersion = Self(rawValue: "firmwareVersion")
    /// The identifier of a beacon in its namespace, as hexadecimal digits.
    public static let instance = Self(rawValue: "instance")
    /// The number of the key or finger that was used at a lock.
    public static let keyIdentifier = Self(rawValue: "keyIdentifier")
    /// How a lock was used, such as with a fingerprint.
    public static let lockMethod = Self(rawValue: "lockMethod")
    /// The number of a group of beacons, from 0 to 65535.
    public static let major = Self(rawValue: "major")
    /// A byte whose meaning the maker of the beacon defines.
    public static let manufacturerByte = Self(rawValue: "manufacturerByte")
    /// The signal strength at a distance of 1 m.
    public static let measuredPower = Self(rawValue: "measuredPower")
    /// The number of a beacon in its group, from 0 to 65535.
    public static let minor = Self(rawValue: "minor")
    /// The namespace of a beacon, as hexadecimal digits.
    public static let namespace = Self(rawValue: "namespace")
    /// The maker's number for the product.
    public static let product = Self(rawValue: "product")
    /// Bytes that only the maker can read.
    public static let rawBytes = Self(rawValue: "raw")
    /// A number that changes with the device's settings.
    public static let settingsRevision = Self(rawValue: "settingsRevision")
    /// A text.
    public static let text = Self(rawValue: "text")
    /// The time of the device, since the beginning of 1970 in UTC.
    public static let timestamp = Self(rawValue: "timestamp")
    /// The transmit power: of an Eddystone, the signal strength at a distance of 0 m.
    public static let txPower = Self(rawValue: "txPower")
    /// The address of a page.
    public static let url = Self(rawValue: "url")
    /// The UUID of a beacon's organization.
    public static let uuid = Self(rawValue: "uuid")
}
