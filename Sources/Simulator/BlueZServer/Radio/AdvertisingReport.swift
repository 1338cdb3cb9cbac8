import BlueZValues

/// A report of a device's advertising data and scan response, which the kernel combines for bluetoothd.
package struct AdvertisingReport: Hashable, Sendable {
    package var identity: DeviceIdentity
    /// The signal strength in dBm.
    package var rssi: Int16
    package var isConnectable = true
    /// Whether the device is discoverable, according to the Flags field, if there is one.
    package var isDiscoverable = false
    /// The Flags field.
    package var flags: UInt8?
    package var localName: String?
    package var serviceUUIDs: [BluetoothUUID] = []
    /// The manufacturer data, by company identifier.
    package var manufacturerData: [UInt16: [UInt8]] = [:]
    package var serviceData: [BluetoothUUID: [UInt8]] = [:]
    /// The transmit power in dBm.
    package var txPower: Int8?
    /// The appearance; 0 means none.
    package var appearance: UInt16 = 0
    /// Other structures: their content by type.
    package var structures: [UInt8: [UInt8]] = [:]

    package init(identity: DeviceIdentity, rssi: Int16) {
        self.identity = identity
        self.rssi = rssi
    }

    package var isClassic: Bool { identity.deviceClass != nil }

    /// The fields as sent (Core Specification Supplement, part A), for monitors to search.
    var fields: [(type: UInt8, data: [UInt8])] {
        var fields: [(type: UInt8, data: [UInt8])] = []
        if let flags { fields.append((0x01, [flags])) }
        let short = serviceUUIDs.compactMap(\.short)
        if !short.isEmpty { fields.append((0x03, short.flatMap(Self.bytes))) }
        if let localName { fields.append((0x09, Array(localName.utf8))) }
        if let txPower { fields.append((0x0A, [UInt8(bitPattern: txPower)])) }
        for (service, data) in serviceData {
            if let short = service.short { fields.append((0x16, Self.bytes(short) + data)) }
        }
        if appearance != 0 { fields.append((0x19, Self.bytes(appearance))) }
        for (company, data) in manufacturerData { fields.append((0xFF, Self.bytes(company) + data)) }
        return fields
    }

    private static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
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
