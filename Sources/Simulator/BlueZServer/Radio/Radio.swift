import BlueZDBus

/// An adapter's controller and kernel, which receive advertisements and make links. Each adapter on the bus has an
/// implementation.
@BlueZServerActor package protocol Radio: AnyObject {
    /// The host, which gets the reports. It is not retained.
    var host: (any RadioHost)? { get set }

    /// Begins to report advertisements to the host. Called once before `stopListening`.
    func startListening()

    /// Stops reporting.
    func stopListening()

    /// Connects to a device as soon as its advertisement is received.
    ///
    /// - Parameters:
    ///   - host: the device, which becomes the link's host.
    ///   - completion: gets the result once, unless the attempt is cancelled. It is never called before this method
    ///     returns.
    func connect(
        _ host: any LinkHost, completion: @escaping @BlueZServerActor (ConnectionResult) -> Void
    ) -> any RadioOperation

    /// Sends these advertisements from now on, and no others.
    func advertise(_ advertisements: [OutgoingAdvertisement])

    /// The reason why a client cannot switch the adapter on now, or nil if it can.
    var powerRefusal: DBusError? { get }

    /// Whether centrals can connect to the adapter, so that clients can offer services.
    var acceptsCentrals: Bool { get }

    /// The adapter may accept connections now, or no longer: `Adapter.acceptsConnections`.
    func acceptanceChanged()

    /// Forgets the keys of a device that a client removes.
    ///
    /// - Parameter completion: called when the keys are forgotten or cannot be, possibly before this method returns.
    func forget(_ identity: DeviceIdentity, completion: @escaping @BlueZServerActor () -> Void)

    /// Reserves space for objects of a device, in bytes of a list of objects. If that fails, they are not created.
    func reserve(_ bytes: Int, for identity: DeviceIdentity) -> Bool

    /// Releases space that was reserved.
    func release(_ bytes: Int, for identity: DeviceIdentity)
}

extension Radio {
    package var powerRefusal: DBusError? { nil }
    package var acceptsCentrals: Bool { false }
    package func acceptanceChanged() {}
    package func advertise(_ advertisements: [OutgoingAdvertisement]) {}
    package func reserve(_ bytes: Int, for identity: DeviceIdentity) -> Bool { true }
    package func release(_ bytes: Int, for identity: DeviceIdentity) {}

    package func forget(_ identity: DeviceIdentity, completion: @escaping @BlueZServerActor () -> Void) {
        completion()
    }
}

/// An adapter, as its radio sees it.
@BlueZServerActor package protocol RadioHost: AnyObject {
    /// An advertisement was received.
    func heard(_ report: AdvertisingReport)
}

/// An operation that can be cancelled. Its completion is then not called.
@BlueZServerActor package protocol RadioOperation {
    /// Cancels the operation. Does nothing if it has ended.
    func cancel()
}

extension BlueZServerActor.ScheduledCall: RadioOperation {}

/// The result of an attempt to connect.
@BlueZServerActor package enum ConnectionResult {
    /// The link is up.
    ///
    /// - fault: what happens to the reply to `Connect`.
    case connected(any RadioLink, fault: CallFault)
    /// The link is up, and its socket was ready before the kernel reported it. As from bluetoothd 5.66 on, `Connected`
    /// becomes true without a signal (src/device.c: att_connect_cb, device_add_connection).
    case unsignalled(any RadioLink)
    /// The link was lost immediately. `Connected` becomes true and false before `Connect` fails.
    case lost(any RadioLink, DBusError)
    /// There is no link.
    case failed(DBusError)
}

/// The fault of the reply to a client's call, to test clients.
package enum CallFault: Hashable, Sendable {
    /// The reply is sent.
    case none
    /// No reply is sent.
    case noReply
    /// The reply to a call that succeeds has a body of the wrong type.
    case malformed
}
