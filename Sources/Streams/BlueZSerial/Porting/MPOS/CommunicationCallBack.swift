import CoreBlueZ
import FoundationEssentials

/// A kind of connection to devices. Only Bluetooth is supported.
public enum DeviceCommunicationChannel: Hashable, Sendable {
    /// The audio jack, which is not supported.
    case audioJack
    /// Bluetooth Low Energy.
    case bluetooth
}

/// The order in which the two sides may send.
public typealias DeviceCommunicationMode = ExchangeMode

/// The callbacks of an exchange. All methods are optional.
@BluetoothActor public protocol CommunicationCallBack: AnyObject {
    /// The device has received the data.
    func onSendOK()
    /// The reply has arrived. In duplex mode, this is called with everything that the device sends. In master-slave
    /// mode, it is also called with what the device sends outside exchanges.
    func onReceive(_ data: Data)
    /// No reply arrived in time.
    func onTimeout()
    /// The exchange failed.
    ///
    /// - Parameters:
    ///   - code: a number of `ExchangeErrorCode`, never 5.
    ///   - message: what happened and what to do.
    func onError(_ code: Int, message: String)
    /// A step before the reply, as defined by the configuration's classifier.
    func onProgress(_ data: Data)
}

extension CommunicationCallBack {
    /// Does nothing.
    public func onSendOK() {}
    /// Does nothing.
    public func onReceive(_ data: Data) {}
    /// Does nothing.
    public func onTimeout() {}
    /// Does nothing.
    public func onError(_ code: Int, message: String) {}
    /// Does nothing.
    public func onProgress(_ data: Data) {}
}

/// Receives the devices that a search finds.
@BluetoothActor public protocol DeviceSearchListener: AnyObject {
    /// A device was found. It is reported once, unless 1,000 others were found in the meantime.
    func discoverOneDevice(_ device: DeviceInfo)
    /// The search has ended.
    func discoverComplete()
}

/// A device that a search has found, with its name and its identifier.
public struct DeviceInfo: Hashable, Sendable, CustomStringConvertible {
    private let name: String?
    private let identifier: String

    init(name: String?, identifier: String) {
        self.name = name
        self.identifier = identifier
    }

    /// Returns the name of the device, or nil if it has none. Escape the name before you print it on a terminal.
    public func getName() -> String? { name }
    /// Returns the identifier that opens the device, which is its address.
    public func getIdentifier() -> String { identifier }
    /// Returns the channel on which the device was found.
    public func getDevChannel() -> DeviceCommunicationChannel { .bluetooth }

    /// The name, escaped for terminals, and the identifier, such as "Terminal (00:AA:02:00:00:77)".
    public var description: String { name.map { "\($0.escapedForTerminal()) (\(identifier))" } ?? identifier }
}
