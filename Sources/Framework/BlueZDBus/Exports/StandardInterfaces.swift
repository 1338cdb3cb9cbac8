import CBlueZDBus

/// The names of the D-Bus specification's interfaces.
package enum StandardInterface {
    package static let introspectable = "org.freedesktop.DBus.Introspectable"
    package static let objectManager = "org.freedesktop.DBus.ObjectManager"
    package static let peer = "org.freedesktop.DBus.Peer"
    package static let properties = "org.freedesktop.DBus.Properties"
}

/// The interfaces of the D-Bus specification, which objects have without exporting them.
extension Connection {
    /// The interfaces with which the object describes itself.
    func standardInterfaces(at path: ObjectPath) -> [ExportedInterface] {
        guard exports.has(path) else { return [] }
        var interfaces = [introspectable(path)]
        if exports.objects[path] != nil { interfaces.append(properties(path)) }
        if exports.objectManagers.contains(path) { interfaces.append(objectManager(path)) }
        return interfaces
    }

    /// The interface that every path has, even without an object.
    static var peer: ExportedInterface {
        ExportedInterface(
            StandardInterface.peer,
            methods: [
                .init("Ping") { $0.reply() }, .init("GetMachineId", output: "s", handler: replyWithMachineIdentifier),
            ]
        )
    }

    private static func replyWithMachineIdentifier(_ call: IncomingCall) {
        guard let text = unsafe dbus_try_get_local_machine_id(nil) else {
            return call.fail(DBusError.Name.failed, "The machine has no identifier")
        }
        defer { unsafe dbus_free(text) }
        let identifier = unsafe String(cString: text)
        call.reply { (writer) throws(DBusError) in try writer.append(identifier) }
    }

    private func introspectable(_ path: ObjectPath) -> ExportedInterface {
        ExportedInterface(
            StandardInterface.introspectable,
            methods: [
                .init("Introspect", output: "s") { call in
                    let standard = self.standardInterfaces(at: path)
                    let names = standard.map(\.name)
                    let own = (self.exports.objects[path] ?? []).filter { !names.contains($0.name) }
                    let xml = Introspection.xml(own + standard, children: self.exports.children(of: path))
                    call.reply { (writer) throws(DBusError) in try writer.append(xml) }
                }
            ]
        )
    }

    private func properties(_ path: ObjectPath) -> ExportedInterface {
        ExportedInterface(
            StandardInterface.properties,
            methods: [
                .init("Get", input: "ss", output: "v") { self.replyToGet($0, path) },
                .init("GetAll", input: "s", output: "a{sv}") { self.replyToGetAll($0, path) },
                .init("Set", input: "ssv") { self.replyToSet($0, path) },
            ],
            signals: [.init("PropertiesChanged", "sa{sv}as")]
        )
    }

    private func objectManager(_ root: ObjectPath) -> ExportedInterface {
        ExportedInterface(
            StandardInterface.objectManager,
            methods: [
                .init("GetManagedObjects", output: "a{oa{sa{sv}}}") { self.replyWithManagedObjects($0, root) }
            ],
            signals: [.init("InterfacesAdded", "oa{sa{sv}}"), .init("InterfacesRemoved", "oas")]
        )
    }

    private func replyWithManagedObjects(_ call: IncomingCall, _ root: ObjectPath) {
        let objects = exports.objects.filter { root.contains($0.key) && $0.key != root }.sorted { $0.key < $1.key }
        call.reply { (writer) throws(DBusError) in
            try writer.appendArray(of: "{oa{sa{sv}}}") { (writer) throws(DBusError) in
                for (path, interfaces) in objects {
                    try writer.appendEntry { (entry) throws(DBusError) in
                        try entry.append(path)
                        try entry.append(interfaces: interfaces)
                    }
                }
            }
        }
    }
}
