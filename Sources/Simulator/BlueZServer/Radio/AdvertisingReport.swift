import BlueZValues

/// A report of a device's advertising data and scan response, which the kernel combines for bluetoothd.
package struct AdvertisingReport: Hashable, Sendable {
    package let identity: DeviceIdentity
    /// The signal strength in dBm.
    package let rssi: Int16
    package var isConnectable = true
    /// Whether the device is discoverable.
    package let isDiscoverable: Bool
    package let data: AdvertisementData

    /// Creates a report.
    ///
    /// - Parameter isDiscoverable: whether the device is discoverable if the data have no flags.
    package init(
        identity: DeviceIdentity, rssi: Int16, data: AdvertisementData = AdvertisementData(),
        orElseIsDiscoverable isDiscoverable: Bool = false
    ) {
        self.identity = identity
        self.rssi = rssi
        self.data = data
        self.isDiscoverable = data.flags?.first.map { $0 & 0x03 != 0 } ?? isDiscoverable
    }

    package var isClassic: Bool { identity.deviceClass != nil }
}

/// The identity of a device.
package struct DeviceIdentity: Hashable, Sendable {
    /// The address: six bytes in uppercase hexadecimal digits, separated by colons.
    package var address: String
    package var addressType: BluetoothAddress.Kind
    /// The Class of Device of a classic device; nil for LE.
    package var deviceClass: UInt32?

    package init(address: String, addressType: BluetoothAddress.Kind, deviceClass: UInt32? = nil) {
        self.address = address
        self.addressType = addressType
        self.deviceClass = deviceClass
    }
}
