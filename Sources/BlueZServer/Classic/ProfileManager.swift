import BluetoothValues
import DBus

/// The `ProfileManager1` interface, after src/profile.c.
@BlueZServerActor final class ProfileManager {
    private static let interface = "org.bluez.ProfileManager1"

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

    /// The profile that connects to a service of devices.
    func client(of uuid: String) -> RegisteredProfile? {
        profiles.first { $0.uuid == uuid && $0.isClient }
    }

    /// The profile that offers a service of this computer.
    func server(of uuid: String) -> RegisteredProfile? {
        profiles.first { $0.uuid == uuid && $0.isServer }
    }

    /// The profiles that Connect connects.
    func automatic(among uuids: [String]) -> RegisteredProfile? {
        profiles.first { $0.isClient && $0.connectsAutomatically && uuids.contains($0.uuid) }
    }

    func senderVanished(_ name: String) {
        for profile in profiles where profile.owner == name { remove(profile) }
    }

    /// bluetoothd releases all profiles, as when it stops.
    func releaseAll() {
        let released = profiles
        for profile in released {
            profile.tell("Release")
            remove(profile)
        }
    }

    private func register(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath(), let text = try? reader.readString() else {
            return call.fail(BlueZError.invalidArguments)
        }
        if profiles.contains(where: { $0.owner == call.sender && $0.path == path }) {
            return call.fail(BlueZError.alreadyExists)
        }
        guard let uuid = BluetoothUUID(bluez: text) else { return call.fail(BlueZError.invalidArguments) }
        if profiles.contains(where: { $0.uuid == uuid.fullString }) {
            return call.fail(BlueZError.notPermitted("UUID already registered"))
        }
        let profile = RegisteredProfile(owner: call.sender, path: path, uuid: uuid.fullString, server: server)
        // A value of the wrong type is ignored (parse_ext_opt).
        try? reader.readProperties { (key, value) throws(DBusError) in profile.set(key, try value.readValue()) }
        profiles.append(profile)
        call.reply()
    }

    private func unregister(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath(),
            let profile = profiles.first(where: { $0.owner == call.sender && $0.path == path })
        else { return call.fail(BlueZError.doesNotExist) }
        remove(profile)
        call.reply()
    }

    private func remove(_ profile: RegisteredProfile) {
        profiles.removeAll { $0 === profile }
        profile.closeAll()
    }
}

/// A profile that a client registered.
@BlueZServerActor final class RegisteredProfile {
    static let interface = "org.bluez.Profile1"
    /// libdbus's default, which bluetoothd uses.
    private static let timeout = Duration.seconds(25)

    let owner: String
    let path: ObjectPath
    let uuid: String
    private(set) var isClient = true
    private(set) var isServer = true
    private(set) var connectsAutomatically = false
    private(set) var asksForAuthorization = true
    private let server: ObjectServer
    private var connections: [ObjectIdentifier: ProfileConnection] = [:]

    init(owner: String, path: ObjectPath, uuid: String, server: ObjectServer) {
        self.owner = owner
        self.path = path
        self.uuid = uuid
        self.server = server
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

    /// Calls a method of the client's object.
    func ask(_ member: String, _ arguments: [Value], _ completion: @escaping @BlueZServerActor (DBusError?) -> Void) {
        guard let message = call(member, arguments), let connection = server.connection else {
            return completion(BlueZError.failed("D-Bus send failed"))
        }
        connection.call(message, timeout: Self.timeout) { result in
            if case .failure(let error) = result { completion(error) } else { completion(nil) }
        }
    }

    /// Calls a method of the client's object without waiting for a reply.
    func tell(_ member: String) {
        guard let message = call(member, []) else { return }
        message.forbidReply()
        try? server.connection?.send(message)
    }

    private func call(_ member: String, _ arguments: [Value]) -> Message? {
        server.flush()
        guard
            let message = try? Message.methodCall(to: owner, path: path, interface: Self.interface, member: member),
            (try? message.write { (writer) throws(DBusError) in for each in arguments { try writer.append(each) } })
                != nil
        else { return nil }
        return message
    }
}
