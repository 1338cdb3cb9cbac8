extension Connection {
    /// Exports an interface at a path, replacing one of the same name there.
    ///
    /// Interfaces of the D-Bus specification work without being exported. If one is exported without methods, it is
    /// also listed among the object's interfaces.
    public func export(_ interface: ExportedInterface, at path: ObjectPath) {
        exports.add(interface, at: path)
    }

    /// Removes an interface.
    public func unexport(_ interface: String, at path: ObjectPath) {
        exports.remove(interface, at: path)
    }

    /// Removes an object with all its interfaces and its object manager.
    public func unexport(_ path: ObjectPath) {
        exports.remove(path)
    }

    /// Replies to `org.freedesktop.DBus.ObjectManager.GetManagedObjects` at a path, for all objects below it. The owner
    /// sends the signals, because it knows when an object is complete.
    public func exportObjectManager(at path: ObjectPath) {
        exports.objectManagers.insert(path)
    }

    /// The paths of all exported objects, sorted.
    public var exportedPaths: [ObjectPath] { exports.objects.keys.sorted() }

    /// Replies to a call: from this connection's objects, from the standard interfaces, or with the error that libdbus
    /// itself would send.
    func reply(to message: Message) {
        let call = IncomingCall(message, on: self)
        guard let path = message.path, let member = message.member else {
            return call.fail(DBusError.Name.invalidArguments, "A call needs a path and a member")
        }
        if isTaken(call, member, by: exports.objects[path] ?? []) { return }
        if isTaken(call, member, by: standardInterfaces(at: path) + [Self.peer]) { return }
        let name = exports.has(path) ? DBusError.Name.unknownMethod : DBusError.Name.unknownObject
        let interface = message.interface ?? "(null)"
        call.fail(
            name,
            "Method \"\(member)\" with signature \"\(message.signature)\" on interface \"\(interface)\" doesn't exist\n"
        )
    }

    private func isTaken(_ call: IncomingCall, _ member: String, by interfaces: [ExportedInterface]) -> Bool {
        let (wanted, signature) = (call.message.interface, call.message.signature)
        for interface in interfaces where wanted == nil || wanted == interface.name {
            for method in interface.methods where method.name == member && method.input == signature {
                if callFilter?(call, interface.name) != true { method.handler(call) }
                return true
            }
        }
        return false
    }
}
