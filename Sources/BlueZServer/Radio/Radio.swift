import DBus

/// What an adapter's controller and kernel do: hear advertisements and make links. The world that the server shows on
/// the bus implements it, once for each adapter.
@BlueZServerActor package protocol Radio: AnyObject {
    /// Who gets the reports. Held weakly.
    var host: (any RadioHost)? { get set }

    /// Reports what is heard to the host from now on. Called once before `stopListening`.
    func startListening()

    /// Reports nothing more.
    func stopListening()

    /// Connects to a device as soon as it is heard.
    ///
    /// - Parameters:
    ///   - host: the device, which becomes the link's host.
    ///   - completion: gets the result once, unless the attempt is cancelled. It never runs before this returns.
    func connect(
        _ host: any LinkHost, completion: @escaping @BlueZServerActor (ConnectionResult) -> Void
    ) -> any Cancellable

    /// Forgets the keys of a device that a client removes.
    ///
    /// - Parameter completion: runs when that is done, or is not going to be; possibly before this returns.
    func forget(_ identity: DeviceIdentity, completion: @escaping @BlueZServerActor () -> Void)
}

extension Radio {
    package func forget(_ identity: DeviceIdentity, completion: @escaping @BlueZServerActor () -> Void) {
        completion()
    }
}

/// An adapter, as its radio sees it.
@BlueZServerActor package protocol RadioHost: AnyObject {
    /// An advertisement was heard.
    func heard(_ report: AdvertisingReport)
}

/// Something that can be called off. Its completion then does not run.
@BlueZServerActor package protocol Cancellable {
    /// Calls it off. Does nothing if it has ended.
    func cancel()
}

extension ScheduledCall: Cancellable {}

/// How an attempt to connect ended.
@BlueZServerActor package enum ConnectionResult {
    /// There is a link.
    ///
    /// - fault: what happens to the answer of `Connect`.
    case connected(any RadioLink, fault: CallFault)
    /// There is a link whose socket was ready before the kernel reported it. As from bluetoothd 5.66 on, `Connected`
    /// becomes true without a signal (src/device.c: att_connect_cb, device_add_connection).
    case unsignalled(any RadioLink)
    /// There was a link, and it was lost at once: `Connected` becomes true and false before `Connect` fails.
    case lost(any RadioLink, DBusError)
    /// There is no link.
    case failed(DBusError)
}

/// What happens to the answer of a client's call, for worlds that test clients.
package enum CallFault: Hashable, Sendable {
    /// The call is answered.
    case none
    /// The call is never answered.
    case unanswered
    /// The answer of a call that succeeds has a body of the wrong type.
    case malformed
}
