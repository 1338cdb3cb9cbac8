import CoreBlueZ
import FoundationEssentials

/// What a `TxRxCentral` and its devices tell.
public enum TxRxEvent: Sendable {
    /// A scan has begun.
    case scanBegan
    /// A scan could not begin, or was ended by an error.
    case scanFailed(BluetoothError)
    /// A scan has ended, as it was asked to.
    case scanEnded
    /// A scan has found a device.
    case found(TxRxDevice)
    /// A device could not be connected: it did not answer in time, or has no profile that was looked for, or is connected.
    case connectFailed(TxRxDevice, BluetoothError)
    /// There is a link to a device.
    case connected(TxRxDevice)
    /// The device's profile is recognised, and commands can be sent.
    case ready(TxRxDevice, SerialProfile)
    /// A device that was ready is disconnected: nil if the program asked for it.
    case disconnected(TxRxDevice, BluetoothError?)
    /// A device has a whole command, with its terminator.
    case sent(TxRxDevice, Data)
    /// A command could not be sent.
    case sendFailed(TxRxDevice, BluetoothError)
    /// A device did not confirm a fragment of a command in time.
    case sendTimedOut(TxRxDevice, BluetoothError)
    /// A device has replied, or sent something by itself.
    case received(TxRxDevice, Data)
    /// A reply did not come in time, or was cut off.
    case receiveFailed(TxRxDevice, BluetoothError)
    /// A device has confirmed its mode.
    case modeChanged(TxRxDevice, SerialMode)
    /// A device's mode could not be changed.
    case modeFailed(TxRxDevice, BluetoothError)
    /// A device has notified of an event besides the stream.
    case event(TxRxDevice, Data)
    /// A device cannot notify of events, or not any longer.
    case eventFailed(TxRxDevice, BluetoothError)
    /// A device was asked for what makes no sense, such as one that no scan has found.
    case deviceFailed(BluetoothError)
    /// Bluetooth itself failed.
    case failed(BluetoothError)
}
