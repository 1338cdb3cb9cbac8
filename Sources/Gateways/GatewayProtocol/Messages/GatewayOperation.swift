import BlueZJSONLine
import BlueZValues

/// The operation of a request. Handles are those of the attributes' declarations, as in the result of `discover`.
package enum GatewayOperation: Hashable, Sendable {
    /// The type of a write; the names are BlueZ's.
    package enum WriteType: String, CaseIterable, Sendable {
        case request, command, reliable
    }

    /// Requests the gateway's clock and state: `HelloResult`. It changes nothing, and needs no deadline.
    case hello
    /// Requests that the gateway publish each device when it is next received, even if it has just published the same:
    /// `EmptyResult`.
    case heard
    /// Connects, and grants a lease: `ConnectResult`. Durations in milliseconds.
    case connect(BluetoothAddress, BluetoothAddress.Kind?, lease: Int, timeout: Int)
    /// Reads the services: `DiscoverResult`.
    case discover(LinkReference, timeout: Int)
    /// Reads a characteristic or a descriptor: `ValueResult`.
    case read(LinkReference, handle: UInt16, offset: Int)
    /// Writes a characteristic or a descriptor: `EmptyResult`.
    case write(LinkReference, handle: UInt16, value: [UInt8], WriteType, offset: Int)
    /// Switches notifications of a characteristic on or off: `EmptyResult`.
    case subscribe(LinkReference, handle: UInt16)
    case unsubscribe(LinkReference, handle: UInt16)
    /// Pairs without keys: `DeviceState`.
    case pair(LinkReference, timeout: Int)
    /// Ends pairing, if it is in progress: `EmptyResult`. The response to the pairing request is
    /// `org.bluez.Error.AuthenticationCanceled`.
    case cancelPairing(LinkReference)
    /// Makes the gateway's bluetoothd forget a device, with its pairing and its link: `EmptyResult`. If another client
    /// has a lease on the device, the gateway refuses.
    case unpair(BluetoothAddress)
    /// Ends the link and the lease: `EmptyResult`.
    case disconnect(LinkReference)
    /// Renews the leases on these links: `RenewResult`. The client's other leases do not change.
    case renew([LinkReference], lease: Int)

    /// The value of the key `op`.
    package var name: String { code.rawValue }

    /// The device that is concerned, if any.
    package var device: BluetoothAddress? {
        switch self {
        case .connect(let device, _, _, _), .unpair(let device): device
        default: reference?.device
        }
    }

    /// The link that is concerned, if any.
    package var reference: LinkReference? {
        switch self {
        case .hello, .heard, .connect, .unpair, .renew: nil
        case .discover(let link, _), .read(let link, _, _), .write(let link, _, _, _, _), .subscribe(let link, _),
            .unsubscribe(let link, _), .pair(let link, _), .cancelPairing(let link), .disconnect(let link):
            link
        }
    }

    enum Code: String, CaseIterable {
        case hello, heard, connect, discover, read, write, subscribe, unsubscribe, pair, cancelPairing, unpair
        case disconnect, renew
    }

    var code: Code {
        switch self {
        case .hello: .hello
        case .heard: .heard
        case .connect: .connect
        case .discover: .discover
        case .read: .read
        case .write: .write
        case .subscribe: .subscribe
        case .unsubscribe: .unsubscribe
        case .pair: .pair
        case .cancelPairing: .cancelPairing
        case .unpair: .unpair
        case .disconnect: .disconnect
        case .renew: .renew
        }
    }
}

/// A link that a gateway has granted. Each connection of a gateway's instance has another number.
package struct LinkReference: JSONObject, Hashable {
    package var device: BluetoothAddress
    package var link: UInt64

    package init(device: BluetoothAddress, link: UInt64) {
        self.device = device
        self.link = link
    }

    package init() { self.init(device: .unread, link: 0) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("device", required: &device, .address)
        keys.add("link", required: &link, .number())
    }
}
