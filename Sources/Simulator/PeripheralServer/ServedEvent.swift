import CoreBlueZ
import FoundationEssentials

/// An event of a ``ServedPeripheral``. A central is nil if BlueZ does not say which one it is.
package enum ServedEvent: Sendable {
    /// A device has connected.
    case connected(Central)
    /// The link of a device has ended.
    case disconnected(Central)
    /// A central has read an attribute, whose response was a value or an error.
    case read(LocalAttribute, Central?, Result<Data, ATTError>)
    /// A central has written a value to an attribute, and the response was nil or an error.
    case written(LocalAttribute, Central?, Data, ATTError?)
    /// A central has subscribed.
    case subscribed(LocalCharacteristic, Central?)
    /// A central has unsubscribed, or its link has ended.
    case unsubscribed(LocalCharacteristic, Central?)
    /// bluetoothd or the adapter is gone. The services are offered again when they are back.
    case suspended
    /// The services are offered again.
    case resumed
    /// bluetoothd has refused to offer the services, or to advertise, again. Another attempt follows.
    case failed(BluetoothError)
}
