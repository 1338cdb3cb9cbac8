import CoreBlueZ
import FoundationEssentials

/// A delegate for connecting to the framed card reader, with the names of the article's program. All methods are
/// optional.
///
/// The original passes nil for the peripheral and the error of a failure. These methods get both, because a program can
/// report them. The original reports only a failed discovery. Here a device without the service or its characteristics
/// is reported too, because no other callback would follow.
@BluetoothActor public protocol BLECardReaderDelegate: AnyObject {
    /// The peripheral could not be connected, or does not have the service, which is always nil.
    func didNotifyFailConnectService(
        _ service: Service?, withPeripheral peripheral: Peripheral, error: BluetoothError)
    /// The service does not have the characteristics, or the peripheral refuses the subscription. The characteristic
    /// is always nil.
    func didNotifyFailConnectChar(
        _ characteristic: Characteristic?, withPeripheral peripheral: Peripheral, error: BluetoothError)
    /// Connecting took longer than `BLECardReader.connectTimeout`, and the attempt has ended. In the original, this is
    /// the selector of the timer. By default, it calls `didNotifyFailConnectService`.
    func connectTimeout(_ peripheral: Peripheral, error: BluetoothError)
    /// The characteristic that notifies replies was found.
    func didFoundReadChar(_ characteristic: Characteristic)
    /// The characteristic that commands are written to was found.
    func didFoundWriteChar(_ characteristic: Characteristic)
    /// Discovery has finished. This is called once per connection, after `didFoundReadChar` and `didFoundWriteChar`,
    /// with nil for all three arguments, as in the original. From here on, the program may call `startSubscribe` and
    /// write.
    func didFoundCharacteristic(
        _ characteristic: Characteristic?, withPeripheral peripheral: Peripheral?, error: BluetoothError?)
}

extension BLECardReaderDelegate {
    /// Does nothing.
    public func didNotifyFailConnectService(
        _ service: Service?, withPeripheral peripheral: Peripheral, error: BluetoothError
    ) {}
    /// Does nothing.
    public func didNotifyFailConnectChar(
        _ characteristic: Characteristic?, withPeripheral peripheral: Peripheral, error: BluetoothError
    ) {}
    /// Calls `didNotifyFailConnectService`.
    public func connectTimeout(_ peripheral: Peripheral, error: BluetoothError) {
        didNotifyFailConnectService(nil, withPeripheral: peripheral, error: error)
    }
    /// Does nothing.
    public func didFoundReadChar(_ characteristic: Characteristic) {}
    /// Does nothing.
    public func didFoundWriteChar(_ characteristic: Characteristic) {}
    /// Does nothing.
    public func didFoundCharacteristic(
        _ characteristic: Characteristic?, withPeripheral peripheral: Peripheral?, error: BluetoothError?
    ) {}
}

/// A delegate for data from the card reader. The article's program uses a second delegate for these. All methods are
/// optional.
@BluetoothActor public protocol BLECardReaderMainMenuDelegate: AnyObject {
    /// Bytes arrived that are not a frame, a command could not be written, or the link was lost or could not be ended.
    func didNotifyReadError(_ error: any Error)
    /// A complete frame arrived. The original has no parameter and leaves the frame in its receive buffer,
    /// which holds only one. Here two frames in one notification are two calls.
    func didNotifyReadData(_ data: Data)
    /// The first reply of a connection has shown the CRC of the reader's frames, or nil if it has none of
    /// `CardReaderChecksum.known`. Called before `didNotifyReadData`, and again if a later reply shows that it is another
    /// CRC with the same result. The original does not check the CRC.
    func didFindChecksum(_ checksum: CardReaderChecksum?)
}

extension BLECardReaderMainMenuDelegate {
    /// Does nothing.
    public func didNotifyReadError(_ error: any Error) {}
    /// Does nothing.
    public func didNotifyReadData(_ data: Data) {}
    /// Does nothing.
    public func didFindChecksum(_ checksum: CardReaderChecksum?) {}
}
