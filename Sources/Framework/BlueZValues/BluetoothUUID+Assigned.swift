/// Numbers that the Bluetooth SIG has assigned to services, declarations, descriptors and characteristics.
extension BluetoothUUID {
    package static let genericAccess: BluetoothUUID = 0x1800
    package static let genericAttribute: BluetoothUUID = 0x1801
    package static let deviceInformation: BluetoothUUID = 0x180A
    package static let battery: BluetoothUUID = 0x180F
    package static let humanInterfaceDevice: BluetoothUUID = 0x1812
    package static let deviceName: BluetoothUUID = 0x2A00
    package static let appearance: BluetoothUUID = 0x2A01
    package static let serviceChanged: BluetoothUUID = 0x2A05
    package static let batteryLevel: BluetoothUUID = 0x2A19
    package static let pnpIdentifier: BluetoothUUID = 0x2A50
    package static let centralAddressResolution: BluetoothUUID = 0x2AA6
    package static let clientSupportedFeatures: BluetoothUUID = 0x2B29
    package static let primaryService: BluetoothUUID = 0x2800
    package static let secondaryService: BluetoothUUID = 0x2801
    package static let include: BluetoothUUID = 0x2802
    package static let characteristic: BluetoothUUID = 0x2803
    package static let extendedProperties: BluetoothUUID = 0x2900
    package static let clientConfiguration: BluetoothUUID = 0x2902

    /// The types of the attributes that declare others (Core Specification, volume 3, part G, 3).
    package static let declarations: Set<BluetoothUUID> = [
        .primaryService, .secondaryService, .include, .characteristic,
    ]
}
