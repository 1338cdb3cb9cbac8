import CoreBlueZ
import FoundationEssentials

/// An event of a `TxRxCentral` or one of its devices.
public enum TxRxEvent: Sendable {
    /// bluetoothd has begun to scan.
    case scanBegan
    /// A scan could not begin, or was ended by an error.
    case scanFailed(BluetoothError)
    /// A scan has ended at the program's request.
    case scanEnded
    /// A scan has found a device.
    case found(TxRxDevice)
    /// A device could not be connected: it did not respond in time, has none of the profiles, or is already connected.
    case connectFailed(TxRxDevice, BluetoothError)
    /// There is a link to a device.
    case connected(TxRxDevice)
    /// The device's profile is recognized, and commands can be sent.
    case ready(TxRxDevice, SerialProfile)
    /// The link to a device has ended, with the error unless the program ended it. This follows each `connected` once,
    /// even if the device did not become ready.
    case disconnected(TxRxDevice, BluetoothError?)
    /// A device has received a whole command, with its terminator. If the reply was due earlier, this follows
    /// `receiveFailed`.
    case sent(TxRxDevice, Data)
    /// A command could not be sent.
    case sendFailed(TxRxDevice, BluetoothError)
    /// A device did not confirm a fragment of a command in time.
    case sendTimedOut(TxRxDevice, BluetoothError)
    /// A device has replied, or has sent unsolicited data.
    case received(TxRxDevice, Data)
    /// A reply did not arrive in time, or was cut off.
    case receiveFailed(TxRxDevice, BluetoothError)
    /// A device has confirmed its mode.
    case modeChanged(TxRxDevice, SerialMode)
    /// A device's mode could not be changed.
    case modeFailed(TxRxDevice, BluetoothError)
    /// A device has notified an event outside the stream.
    case event(TxRxDevice, Data)
    /// A device cannot notify events, or can no longer do so.
    case eventFailed(TxRxDevice, BluetoothError)
    /// A request to a device was not possible, for example because no scan has found the device, or bluetoothd did not
    /// end its link.
    case deviceFailed(BluetoothError)
    /// Bluetooth itself failed.
    case failed(BluetoothError)
}
