import BlueZDBus
import BlueZValues

/// A client's registration of services, whose objects are below its path. Modelled on src/gatt-database.c.
@BlueZServerActor final class GATTApplication {
    let owner: String
    let root: ObjectPath
    let rules: [MatchRule]
    private let database: LocalDatabase
    private let server: ObjectServer
    private(set) var services: [ApplicationService] = []
    private var hasProfiles = false

    init(owner: String, root: ObjectPath, database: LocalDatabase, server: ObjectServer) {
        self.owner = owner
        self.root = root
        self.database = database
        self.server = server
        rules = [
            MatchRule(
                sender: owner, interface: StandardInterface.objectManager, member: "InterfacesRemoved", path: root),
            MatchRule(
                sender: owner, interface: StandardInterface.properties, member: "PropertiesChanged",
                pathNamespace: root),
        ]
    }

    /// client_ready_cb(): publishes what the client has listed. Returns the error of RegisterApplication, or nil.
    func publish(_ message: Message?) -> DBusError? {
        let objects = message.map(objects) ?? []
        guard !objects.isEmpty else { return BlueZError.failed("No object received") }
        guard accept(objects), !services.isEmpty || hasProfiles else {
            return BlueZError.failed("No valid service object found")
        }
        let services = Dictionary(services.map { ($0.object.path, $0) }) { first, _ in first }
        guard self.services.allSatisfy({ $0.publish(among: services) }) else {
            return BlueZError.failed("Failed to create entry in database")
        }
        return nil
    }

    /// The objects in the order in which the client lists them, which is that of the handles.
    private func objects(in message: Message) -> [ApplicationObject] {
        let standard = [StandardInterface.introspectable, StandardInterface.properties]
        var objects: [ApplicationObject] = []
        var reader = message.reader
        try? reader.readDictionary { (entry) throws(DBusError) in
            let path = try entry.readObjectPath()
            try entry.readDictionary { (interface) throws(DBusError) in
                let name = try interface.readString()
                var properties: [String: Value] = [:]
                try interface.readProperties { (name, value) throws(DBusError) in
                    properties[name] = try value.readValue()
                }
                guard !standard.contains(name) else { return }
                let object = ClientObject(owner: self.owner, path: path, interface: name, server: self.server)
                objects.append(ApplicationObject(object, properties))
            }
        }
        return objects
    }

    /// register_profile(), register_service(), register_characteristic() and register_descriptor(), in this order.
    private func accept(_ objects: [ApplicationObject]) -> Bool {
        for object in objects where object.interface == ApplicationObject.profile {
            guard case .array("s", let uuids)? = object.properties["UUIDs"], !uuids.isEmpty else { return false }
            hasProfiles = true
        }
        for object in objects where object.interface == ApplicationObject.service {
            services.append(ApplicationService(object, database))
        }
        let owners = Dictionary(services.map { ($0.object.path, $0) }) { first, _ in first }
        var ownersOfCharacteristics: [ObjectPath: ApplicationService] = [:]
        for object in objects where object.interface == ApplicationObject.characteristic {
            guard let service = object.path("Service").flatMap({ owners[$0] }), service.add(characteristic: object)
            else { return false }
            if ownersOfCharacteristics[object.path] == nil { ownersOfCharacteristics[object.path] = service }
        }
        for object in objects where object.interface == ApplicationObject.descriptor {
            guard let path = object.path("Characteristic"), let service = ownersOfCharacteristics[path],
                service.add(descriptor: object, of: path)
            else { return false }
        }
        return true
    }

    /// Handles a signal of the client. Objects that it adds later are ignored.
    func receive(_ message: Message) {
        guard let path = message.path else { return }
        var reader = message.reader
        if message.isSignal("org.freedesktop.DBus.Properties", "PropertiesChanged") {
            guard let interface = try? reader.readString(),
                let object = objects.first(where: { $0.path == path && $0.interface == interface })
            else { return }
            var changed: [(String, Value?)] = []
            try? reader.readProperties { (name, value) throws(DBusError) in
                changed.append((name, try value.readValue()))
            }
            for name in (try? reader.readStrings()) ?? [] { changed.append((name, nil)) }
            for (name, value) in changed { update(object, name, value) }
        } else if path == root, let removed = try? reader.readObjectPath(),
            (try? reader.readStrings())?.contains(ApplicationObject.service) == true
        {
            services.filter { $0.object.path == removed }.forEach { $0.withdraw() }
            services.removeAll { $0.object.path == removed }
        }
    }

    private var objects: [ApplicationObject] {
        services.flatMap { service in
            [service.object] + service.characteristics.map(\.object) + service.descriptors.map(\.object)
        }
    }

    private func update(_ object: ApplicationObject, _ name: String, _ value: Value?) {
        object.properties[name] = value
        guard name == "Value" else { return }
        for characteristic in services.lazy.flatMap(\.characteristics) where characteristic.object === object {
            characteristic.valueChanged(value)
        }
    }

    /// app_free()
    func withdraw() {
        for service in services { service.withdraw() }
        services.removeAll()
    }
}
