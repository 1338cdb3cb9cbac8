import BlueZClient
import BlueZDBus

/// A device that uses, or may use, the services that this program publishes.
///
/// BlueZ does not report which side made a link. A ``PeripheralManager`` counts every connected device as a central
/// that this program has not connected to, and each one that sends a request.
@BluetoothActor public final class Central {
    /// The device as a peripheral, to end its link, to pair, or to use its own services.
    public let peripheral: Peripheral

    /// The ATT MTU of the link in bytes, from the last request of this central; nil before the first one.
    public internal(set) var mtu: Int?

    let path: ObjectPath

    init(_ peripheral: Peripheral, at path: ObjectPath) {
        self.peripheral = peripheral
        self.path = path
    }

    /// The address, which may change every 15 minutes if the central is not paired; nil if bluetoothd has forgotten the
    /// device.
    public var address: BluetoothAddress? { peripheral.address }
    /// The name, if it is known. Few centrals have one before they are paired.
    public var name: String? { peripheral.name }
    /// Whether the central is connected.
    public var isConnected: Bool { peripheral.isConnected }
    /// Whether the central is paired.
    public var isPaired: Bool { peripheral.isPaired }
    /// Whether the pairing is kept for later links.
    public var isBonded: Bool { peripheral.isBonded }

    /// The greatest number of bytes of a notification for this central: the MTU minus 3, or 20 if the MTU is not known.
    /// bluetoothd cuts longer ones.
    public var maximumUpdateValueLength: Int { max(20, min(LocalAttribute.maximumValueLength, (mtu ?? 23) - 3)) }
}

extension Central: Hashable {
    /// Returns whether both are the same object.
    public nonisolated static func == (left: Central, right: Central) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
