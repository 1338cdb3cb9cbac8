import BlueZDBus
import BlueZValues

/// A channel between a device and a client's profile: struct ext_io of src/profile.c.
@BlueZServerActor final class ProfileConnection {
    /// It keeps this object.
    private(set) weak var profile: RegisteredProfile?
    private(set) var channel: (any RadioChannel)?
    private weak var device: Device?
    /// The client's socket, which bluetoothd keeps too. A client that only closes its descriptor does not end the
    /// channel.
    private var kept: StreamSocket?
    private(set) var isConnected = false

    init(_ profile: RegisteredProfile, _ device: Device, _ link: any RadioLink) throws(DBusError) {
        let (ours, theirs) = try StreamSocket.pair()
        self.profile = profile
        self.device = device
        kept = theirs
        channel = link.channel(on: ours, to: BluetoothUUID(profile.uuid) ?? .serialPort) { [weak self] in
            self?.close()
        }
        profile.add(self)
    }

    /// send_new_connection(): passes the client its end.
    func begin(_ completion: @escaping @BlueZServerActor (DBusError?) -> Void) {
        guard let device, let profile, let kept else { return completion(BlueZError.failed("br-connection-canceled")) }
        let arguments: [Value] = [.objectPath(device.path), .fileDescriptor(kept.descriptor), .properties([:])]
        profile.object.call("NewConnection", arguments) { [self] result in
            if case .success = result { isConnected = true } else { close() }
            completion(isConnected ? nil : BlueZError.failed("br-connection-refused"))
        }
    }

    /// ext_disconnect_dev(): calls RequestDisconnection of the client. The connection ends whatever the reply is.
    func end(_ completion: @escaping @BlueZServerActor () -> Void) {
        guard let device, let profile, isConnected else {
            close()
            return completion()
        }
        profile.object.call("RequestDisconnection", [.objectPath(device.path)]) { [self] _ in
            close()
            completion()
        }
    }

    func close() {
        guard kept != nil else { return }
        kept = nil
        isConnected = false
        channel?.close()
        profile?.remove(self)
        device?.ended(self)
    }
}
