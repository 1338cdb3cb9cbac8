import DBus

/// An adapter's controller and kernel: hears advertisements and makes links. Implemented once for each adapter by
/// whatever the server shows on the bus.
@BlueZServerActor package protocol Radio: AnyObject {
    /// Receives the reports. Held weakly.
    var host: (any RadioHost)? { get set }

    /// Begins to report advertisements to the host. Called once before `stopListening`.
    func startListening()

    /// Stops reporting.
    func stopListening()

    /// Connects to a device as soon as its advertisement is received.
    ///
    /// - Parameters:
    ///   - host: the device, which becomes the link's host.
    ///   - completion: gets the result once, unless the attempt is cancelled. It never runs before this returns.
    func connect(
        _ host: any LinkHost, completion: @escaping @BlueZServerActor (ConnectionResult) -> Void
    ) -> any Cancellable

    /// Why a client cannot switch the adapter on now; nil if it can.
    var powerRefusal: DBusError? { get }

    /// Forgets the keys of a device that a client removes.
    ///
    /// - Parameter completion: runs when it is done, or will not be; possibly before this returns.
    func forget(_ identity: DeviceIdentity, completion: @escaping @BlueZServerActor () -> Void)

    /// Reserves space for objects of a device, in bytes of a list of objects. Without it they are not made.
    func reserve(_ bytes: Int, for identity: DeviceIdentity) -> Bool

    /// Gives back space that was reserved.
    func release(_ bytes: Int, for identity: DeviceIdentity)
}

extension Radio {
    package var powerRefusal: DBusError? { nil }
    package func reserve(_ bytes: Int, for identity: DeviceIdentity) -> Bool { true }
    package func release(_ bytes: Int, for identity: DeviceIdentity) {}

    package func forget(_ identity: DeviceIdentity, completion: @escaping @BlueZServerActor () -> Void) {
        completion()
    }
}

/// An adapter, as its radio sees it.
@BlueZServerActor package protocol RadioHost: AnyObject {
    /// An advertisement was heard.
    func heard(_ report: AdvertisingReport)
}

/// An operation that can be cancelled. Its completion then does not run.
@BlueZServerActor package protocol Cancellable {
    /// Cancels it. Does nothing if it has ended.
    func cancel()
}

extension ScheduledCall: Cancellable {}

/// The result of an attempt to connect.
@BlueZServerActor package enum ConnectionResult {
    /// The link is up.
    ///
    /// - fault: what happens to the reply to `Connect`.
    case connected(any RadioLink, fault: CallFault)
    /// The link is up, and its socket was ready before the kernel reported it. As from bluetoothd 5.66 on, `Connected`
    /// becomes true without a signal (src/device.c: att_connect_cb, device_add_connection).
    case unsignalled(any RadioLink)
    /// The link was lost at once: `Connected` becomes true and false before `Connect` fails.
    case lost(any RadioLink, DBusError)
    /// There is no link.
    case failed(DBusError)
}

/// What happens to the reply to a client's call, to test clients.
package enum CallFault: Hashable, Sendable {
    /// The reply is sent.
    case none
    /// No reply is sent.
    case noReply
    /// The reply to a call that succeeds has a body of the wrong type.
    case malformed
}
