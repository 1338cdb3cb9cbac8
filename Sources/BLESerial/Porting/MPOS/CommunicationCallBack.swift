import CoreBlueZ
import FoundationEssentials

/// A channel to devices.
public enum DeviceCommunicationChannel: Hashable, Sendable {
    /// The audio jack; there is none here.
    case audioJack
    /// Bluetooth Low Energy.
    case bluetooth
}

/// The mode of use.
public typealias DeviceCommunicationMode = ExchangeMode

/// Receives the events of an exchange. All methods are optional.
@BluetoothActor public protocol CommunicationCallBack: AnyObject {
    /// The device has the data.
    func onSendOK()
    /// The reply; in duplex mode, everything the device sends; in master-slave mode also what it sends outside
    /// exchanges.
    func onReceive(_ data: Data)
    /// No reply came in time.
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
    /// A device was found; reported once, unless 1,000 others were found in the meantime.
    func discoverOneDevice(_ device: DeviceInfo)
    /// The search has ended.
    func discoverComplete()
}

/// A device that was found.
public struct DeviceInfo: Hashable, Sendable {
    private let name: String?
    private let identifier: String

    init(name: String?, identifier: String) {
        self.name = name
        self.identifier = identifier
    }

    /// Its name; nil if it has none. Escape it before showing it on a terminal.
    public func getName() -> String? { name }
    /// The identifier that opens it: its address.
    public func getIdentifier() -> String { identifier }
    /// The channel on which it was found.
    public func getDevChannel() -> DeviceCommunicationChannel { .bluetooth }
}
