extension Connection {
    /// Offers an interface at a path, in place of one of the same name there.
    public func export(_ interface: ExportedInterface, at path: ObjectPath) {
        exports.add(interface, at: path)
    }

    /// Takes an interface back.
    public func unexport(_ interface: String, at path: ObjectPath) {
        exports.remove(interface, at: path)
    }

    /// Takes an object back with all its interfaces, and its object manager.
    public func unexport(_ path: ObjectPath) {
        exports.remove(path)
    }

    /// Answers `org.freedesktop.DBus.ObjectManager.GetManagedObjects` at a path, for all objects below it. Its signals
    /// are the owner's to send: only the owner knows when an object is complete.
    public func exportObjectManager(at path: ObjectPath) {
        exports.objectManagers.insert(path)
    }

    /// The paths of all objects that are offered, sorted.
    public var exportedPaths: [ObjectPath] { exports.objects.keys.sorted() }

    /// Answers a call in any case: by our objects, by the standard interfaces, or by the error that libdbus itself
    /// would give.
    func answer(_ message: Message) {
        let call = IncomingCall(message, on: self)
        guard let path = message.path, let member = message.member else {
            return call.fail(DBusError.Name.invalidArguments, "A call needs a path and a member")
        }
        let signature = message.signature
        for interface in exports.objects[path] ?? [] where message.interface.map({ $0 == interface.name }) ?? true {
            for method in interface.methods where method.name == member && method.input == signature {
                return method.handler(call)
            }
        }
        if answerStandard(call, path, member, signature) { return }
        let name = exports.has(path) ? DBusError.Name.unknownMethod : DBusError.Name.unknownObject
        let interface = message.interface ?? "(null)"
        call.fail(
            name,
            "Method \"\(member)\" with signature \"\(signature)\" on interface \"\(interface)\" doesn't exist\n"
        )
    }

    private func answerStandard(
        _ call: IncomingCall,
        _ path: ObjectPath,
        _ member: String,
        _ signature: String
    ) -> Bool {
        switch (call.message.interface ?? "", member, signature) {
        case ("org.freedesktop.DBus.Peer", "Ping", ""): call.reply()
        case ("org.freedesktop.DBus.Peer", "GetMachineId", ""): answerMachineIdentifier(call)
        case ("org.freedesktop.DBus.Introspectable", "Introspect", "") where exports.has(path):
            let xml = Introspection.xml(of: path, in: exports)
            call.reply { (writer) throws(DBusError) in try writer.append(xml) }
        case ("org.freedesktop.DBus.ObjectManager", "GetManagedObjects", "")
        where exports.objectManagers.contains(path):
            answerManagedObjects(call, path)
        case ("org.freedesktop.DBus.Properties", "Get", "ss") where exports.objects[path] != nil:
            answerGet(call, path)
        case ("org.freedesktop.DBus.Properties", "GetAll", "s") where exports.objects[path] != nil:
            answerGetAll(call, path)
        case ("org.freedesktop.DBus.Properties", "Set", "ssv") where exports.objects[path] != nil:
            answerSet(call, path)
        default: return false
        }
        return true
    }

    private func answerManagedObjects(_ call: IncomingCall, _ root: ObjectPath) {
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

extension MessageWriter {
    /// Appends `a{sa{sv}}`: interfaces with their properties, as `InterfacesAdded` and `GetManagedObjects` carry them.
    public mutating func append(interfaces: [ExportedInterface]) throws(DBusError) {
        try appendArray(of: "{sa{sv}}") { (writer) throws(DBusError) in
            for interface in interfaces {
                try writer.appendEntry { (entry) throws(DBusError) in
                    try entry.append(interface.name)
                    try entry.append(Value.properties(interface.currentProperties))
                }
            }
        }
    }
}
