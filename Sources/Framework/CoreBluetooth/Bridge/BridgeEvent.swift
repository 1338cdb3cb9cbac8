import CoreBlueZ

/// What the bridge tells the objects of the manager's queue.
enum BridgeEvent: Sendable {
    case state(CentralManagerState)
    case found(FoundPeripheral)
    /// The scan with this number has ended by itself.
    case scanEnded(Int)
    /// A notification, apart from the others because it is the most frequent event.
    case value(UUID, Int, Data)
    case peripheral(UUID, PeripheralEvent)
}

/// What happens to one peripheral. Attributes have tokens.
enum PeripheralEvent: Sendable {
    case name(String?)
    case connected(Int)
    case failedToConnect(Int, any Error)
    case disconnected(Int, DisconnectionEvent)
    case services(FoundAttributes)
    case includedServices(of: Int, FoundAttributes)
    case characteristics(of: Int, FoundAttributes)
    case descriptors(of: Int, FoundAttributes)
    case servicesModified([Int])
    case read(Int, Data?, (any Error)?)
    case written(Int, (any Error)?)
    case commandSent
    case notifying(Int, Bool, (any Error)?)
    case descriptorRead(Int, Data?, (any Error)?)
    case descriptorWritten(Int, (any Error)?)
    case signalStrength(Int?, (any Error)?)
    /// The next of the calls that the peripheral has deferred is due.
    case deferred
}

/// A report of a scan.
final class FoundPeripheral: Sendable {
    let identifier: UUID
    let name: String?
    let advertisement: AdvertisementData
    let rssi: Int?

    init(_ identifier: UUID, _ name: String?, _ advertisement: AdvertisementData, _ rssi: Int?) {
        self.identifier = identifier
        self.name = name
        self.advertisement = advertisement
        self.rssi = rssi
    }
}

/// The end of a link.
struct DisconnectionEvent: Sendable {
    let error: (any Error)?
    let isReconnecting: Bool
    let time = Date()
}

/// An attribute as a value.
struct AttributeDescription: Sendable {
    let token: Int
    let uuid: BluetoothUUID
    let handle: UInt16
    var isPrimary = true
    var properties: CharacteristicProperties = []
}

/// The result of a discovery.
struct FoundAttributes: Sendable {
    var attributes: [AttributeDescription] = []
    /// The link's MTU, if bluetoothd reports it.
    var mtu: Int?
    var error: (any Error)?
}
