import BlueZServer

/// The properties that make a simulated device one of classic Bluetooth (BR/EDR): it responds to inquiries, has no GATT
/// services and cannot be connected over LE.
public struct ClassicSpecification: Hashable, Sendable {
    /// The Class of Device, 24 bits; bluetoothd derives an icon from some.
    public var deviceClass: UInt32
    /// Its RFCOMM services, which a client finds by SDP.
    public var services: [BluetoothUUID]

    /// Makes a specification; by default of a device with the Serial Port Profile.
    ///
    /// - Parameters:
    ///   - deviceClass: the class; by default 0x001F00, "uncategorized".
    ///   - services: the RFCOMM services.
    public init(deviceClass: UInt32 = 0x00_1F00, services: [BluetoothUUID] = [.serialPort]) {
        self.deviceClass = deviceClass
        self.services = services
    }
}
