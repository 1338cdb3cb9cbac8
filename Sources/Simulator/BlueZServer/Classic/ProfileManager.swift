import BlueZDBus
import BlueZValues

/// The `ProfileManager1` interface, modelled on src/profile.c.
@BlueZServerActor final class ProfileManager {
    private static let interface = BlueZInterface.profileManager.description

    private let server: ObjectServer
    private var profiles: [RegisteredProfile] = []

    init(server: ObjectServer) {
        self.server = server
    }

    func export(at path: ObjectPath) {
        profiles.removeAll()
        server.register(
            ExportedInterface(
                Self.interface,
                methods: [
                    .init("RegisterProfile", input: "osa{sv}") { [weak self] call in self?.register(call) },
                    .init("UnregisterProfile", input: "o") { [weak self] call in self?.unregister(call) },
                ]
            ),
            at: path
        )
    }

    /// Returns the profile that connects to a service of devices.
    func client(of uuid: String) -> RegisteredProfile? {
        profiles.first { $0.uuid == uuid && $0.isClient }
    }

    /// Returns the profile that offers a service of this machine.
    func server(of uuid: String) -> RegisteredProfile? {
        profiles.first { $0.uuid == uuid && $0.isServer }
    }

    /// Returns the profile that Connect connects.
    func automatic(among uuids: [String]) -> RegisteredProfile? {
        profiles.first { $0.isClient && $0.connectsAutomatically && uuids.contains($0.uuid) }
    }

    func senderVanished(_ name: String) {
        for profile in profiles where profile.object.owner == name { remove(profile) }
    }

    /// Releases all profiles, as bluetoothd does when it stops.
    func releaseAll() {
        let released = profiles
        for profile in released {
            profile.object.tell("Release")
            remove(profile)
        }
    }

    private func register(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath(), let text = try? reader.readString() else {
            return call.fail(BlueZError.invalidArguments)
        }
        guard profile(of: call.sender, at: path) == nil else { return call.fail(BlueZError.alreadyExists) }
        guard let uuid = BluetoothUUID(bluez: text) else { return call.fail(BlueZError.invalidArguments) }
        if profiles.contains(where: { $0.uuid == uuid.fullString }) {
            return call.fail(BlueZError.notPermitted("UUID already registered"))
        }
        let object = ClientObject(
            owner: call.sender, path: path, interface: RegisteredProfile.interface, server: server)
        let profile = RegisteredProfile(object, uuid: uuid.fullString)
        // A value of the wrong type is ignored (parse_ext_opt).
        try? reader.readProperties { (key, value) throws(DBusError) in profile.set(key, try value.readValue()) }
        profiles.append(profile)
        call.reply()
    }

    private func unregister(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath(), let profile = profile(of: call.sender, at: path) else {
            return call.fail(BlueZError.doesNotExist)
        }
        remove(profile)
        call.reply()
    }

    private func profile(of owner: String, at path: ObjectPath) -> RegisteredProfile? {
        profiles.first { $0.object.owner == owner && $0.object.path == path }
    }

    private func remove(_ profile: RegisteredProfile) {
        profiles.removeAll { $0 === profile }
        profile.closeAll()
    }
}

/// A profile that a client registered.
@BlueZServerActor final class RegisteredProfile {
    static let interface = BlueZInterface.profile.description

    let object: ClientObject
    let uuid: String
    private(set) var isClient = true
    private(set) var isServer = true
    private(set) var connectsAutomatically = false
    private(set) var asksForAuthorization = true
    private var connections: [ObjectIdentifier: ProfileConnection] = [:]

    init(_ object: ClientObject, uuid: String) {
        self.object = object
        self.uuid = uuid
    }

    func set(_ key: String, _ value: Value) {
        switch (key, value.unwrapped) {
        case ("Role", .string("client")): isServer = false
        case ("Role", .string("server")): isClient = false
        case ("AutoConnect", .boolean(let value)): connectsAutomatically = value
        case ("RequireAuthorization", .boolean(let value)): asksForAuthorization = value
        default: break
        }
    }

    func add(_ connection: ProfileConnection) { connections[ObjectIdentifier(connection)] = connection }

    func remove(_ connection: ProfileConnection) { connections[ObjectIdentifier(connection)] = nil }

    /// remove_ext(): the profile's connections end with it.
    func closeAll() {
        for connection in connections.values { connection.close() }
    }
}
