import BlueZDBus
import BlueZValues

/// A link to a device. Each request ends once, with a value or an error, unless it is cancelled. That may happen before
/// the call that made the request returns. Requests that are pending when the link is closed fail.
///
/// The handle of a characteristic is that of its declaration. Descriptors have their own.
@BlueZServerActor package protocol RadioLink: AnyObject {
    typealias Completion = @BlueZServerActor (Result<[UInt8], LinkError>) -> Void

    /// The ATT MTU in bytes.
    var mtu: Int { get }
    /// Whether another bluetoothd has the link, such as a gateway's. It reads names, appearance, modalias and battery,
    /// which the host gets from `LinkHost.changed`, and only it knows which characteristics have a client configuration.
    var isRelayed: Bool { get }

    /// Discovers the services. The completion gets nil if that failed. The server then reports the services that it
    /// already knew as resolved.
    func discover(_ completion: @escaping @BlueZServerActor (Discovery?) -> Void)

    /// Reads an attribute, starting at an offset.
    func read(_ handle: UInt16, offset: UInt16, completion: @escaping Completion) -> any RadioOperation

    /// Writes an attribute.
    func write(
        _ value: [UInt8], to handle: UInt16, kind: WriteKind, offset: UInt16, completion: @escaping Completion
    ) -> any RadioOperation

    /// Writes a characteristic without response.
    func command(_ value: [UInt8], to handle: UInt16)

    /// Switches notifications or indications on or off.
    func configure(_ handle: UInt16, _ setting: NotifySetting, completion: @escaping Completion) -> any RadioOperation

    /// Prepares to pair. `start()` begins.
    ///
    /// - Parameters:
    ///   - request: the requested pairing.
    ///   - completion: gets the end once, unless the pairing is cancelled.
    func pair(
        _ request: PairingRequest, completion: @escaping @BlueZServerActor (PairingEnd) -> Void
    ) -> any RadioPairing

    /// Ends the link in an orderly way. It works as before until `completion` is called. Then the host closes it.
    func disconnect(_ completion: @escaping @BlueZServerActor () -> Void) -> any RadioOperation

    /// Closes the link, because the host no longer uses it, or knows that it is lost. Further calls do nothing.
    func close()

    /// Returns the fault of the replies to calls about an attribute.
    func callFault(of handle: UInt16) -> CallFault

    /// Creates the device's end of an RFCOMM channel. Only for links of classic Bluetooth.
    func channel(
        on socket: StreamSocket, to service: BluetoothUUID, closed: @escaping @BlueZServerActor () -> Void
    ) -> (any RadioChannel)?
}

extension RadioLink {
    package var isRelayed: Bool { false }

    package func callFault(of handle: UInt16) -> CallFault { .none }

    package func channel(
        on socket: StreamSocket, to service: BluetoothUUID, closed: @escaping @BlueZServerActor () -> Void
    ) -> (any RadioChannel)? {
        nil
    }
}

/// A device, as its link sees it.
@BlueZServerActor package protocol LinkHost: AnyObject {
    /// The identity of the device.
    var identity: DeviceIdentity { get }
    /// Whether the device is blocked from connecting.
    var isBlocked: Bool { get }
    /// Whether there are keys, which encrypt the link.
    var isPaired: Bool { get }
    /// Whether a number was compared or typed when the keys were made.
    var isAuthenticated: Bool { get }

    /// The link is lost. The host closes it.
    func linkLost(_ end: LinkEnd)

    /// Whether clients have space for another notification of a characteristic. Only a replay, which can wait, asks.
    func isReady(for handle: UInt16) -> Bool

    /// A notification or indication arrived.
    func received(_ value: [UInt8], from handle: UInt16)

    /// The device's database has changed.
    func servicesChanged(_ discovery: Discovery)

    /// An attribute or the device requires more security.
    ///
    /// - Parameters:
    ///   - needsAuthentication: whether keys must come from a pairing in which a number was compared or typed.
    ///   - completion: gets whether the link is secure now. Not called if the link is lost in the meantime.
    func secure(needsAuthentication: Bool, _ completion: @escaping @BlueZServerActor (Bool) -> Void)

    /// The questions to this side's default agent, if the device has begun to pair.
    func dialogue() -> PairingDialogue?

    /// The device has paired and bonded.
    func paired(isAuthenticated: Bool)

    /// A property of the device is known or has changed.
    func changed(_ change: DeviceChange)
}

/// The device's end of an RFCOMM channel.
@BlueZServerActor package protocol RadioChannel: AnyObject {
    /// A client has taken the other end.
    func opened()

    /// Closes the channel.
    func close()
}

/// The way in which a value is written.
package enum WriteKind: Hashable, Sendable {
    /// By a write request, or prepared writes if the value is long or has an offset.
    case request
    /// By prepared writes whose echo is compared.
    case reliable
}

/// The client configuration of a characteristic, with the value of its descriptor.
package enum NotifySetting: UInt16, Sendable {
    case off
    case notifications
    case indications
}

/// The reason why a request on a link failed.
package enum LinkError: Error, Hashable, Sendable {
    /// The device returned an error code of the Attribute Protocol.
    case attribute(UInt8)
    /// Another bus returned this error.
    case bus(DBusError)
}

/// A property of a device that its link reports.
package enum DeviceChange: Hashable, Sendable {
    case name([UInt8])
    case appearance(UInt16)
    case modalias(String)
    /// The battery charge in percent.
    case battery(UInt8)
    case isPaired(Bool)
    case isBonded(Bool)
}
