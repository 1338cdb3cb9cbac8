import BlueZClient
import BlueZDBus
import CoreBlueZ

/// The RFCOMM profiles of this process in bluetoothd: one per UUID, as bluetoothd requires.
@BluetoothActor final class ProfileRegistry: Registration {
    private weak var client: BlueZClient?
    private var registrations: [BluetoothUUID: ProfileRegistration] = [:]
    private var count = 0

    init(_ client: BlueZClient) {
        self.client = client
    }

    /// Returns the registration of a UUID, which is created if there is none.
    func registration(of profile: RFCOMMProfile) -> ProfileRegistration? {
        if let registration = registrations[profile.uuid] { return registration }
        guard let client, let path = try? ObjectPath("/org/corebluez/profile/p\(count)") else { return nil }
        count += 1
        let registration = ProfileRegistration(profile, at: path, client)
        registrations[profile.uuid] = registration
        return registration
    }

    /// Returns the registration of a UUID, if there is one.
    func registration(of uuid: BluetoothUUID) -> ProfileRegistration? { registrations[uuid] }

    /// Withdraws a registration that is no longer needed.
    func release(_ registration: ProfileRegistration) {
        guard registration.isUnused, registrations[registration.profile.uuid] === registration else { return }
        remove(registration)
    }

    func remove(_ registration: ProfileRegistration, _ completion: (@BluetoothActor (BluetoothError?) -> Void)? = nil) {
        registrations[registration.profile.uuid] = nil
        registration.unregister(completion)
    }

    func managerIsGone(_ manager: ObjectIdentifier) {
        for registration in registrations.values where registration.isOwned(by: manager) { remove(registration) }
    }

    func daemonEnded() {
        for registration in registrations.values { registration.daemonEnded() }
    }

    func daemonStarted() {
        for registration in registrations.values { registration.daemonStarted() }
    }
}

extension BlueZClient {
    /// This process's RFCOMM profiles.
    var profiles: ProfileRegistry { registration() }
}
