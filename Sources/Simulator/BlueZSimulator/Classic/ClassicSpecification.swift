import BlueZServer

/// The properties of a simulated device of classic Bluetooth (BR/EDR). It responds to inquiries, has no GATT services,
/// and cannot be connected over LE.
public struct ClassicSpecification: Hashable, Sendable {
    /// The Class of Device, which has 24 bits. bluetoothd derives an icon from some classes.
    public var deviceClass: UInt32
    /// The RFCOMM services of the device, which a client finds by SDP.
    public var services: [BluetoothUUID]

    /// Creates a specification; by default, of a device with the Serial Port Profile.
    ///
    /// - Parameters:
    ///   - deviceClass: the class; by default 0x001F00, "uncategorized".
    ///   - services: the RFCOMM services.
    public init(deviceClass: UInt32 = 0x00_1F00, services: [BluetoothUUID] = [.serialPort]) {
        self.deviceClass = deviceClass
        self.services = services
    }
}
