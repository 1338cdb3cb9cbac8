extension Connection {
    /// Sends a signal with the arguments that `write` appends.
    ///
    /// - Throws: `DBusError` where a name or value cannot be sent, or the connection is closed.
    public func emit(
        _ member: String,
        of interface: String,
        from path: ObjectPath,
        _ write: (inout MessageWriter) throws(DBusError) -> Void = { (_) throws(DBusError) in }
    ) throws(DBusError) {
        let message = try Message.signal(path: path, interface: interface, member: member)
        try message.write(write)
        try send(message)
    }

    /// Sends `org.freedesktop.DBus.Properties.PropertiesChanged`.
    public func emitPropertiesChanged(
        _ interface: String,
        at path: ObjectPath,
        changed: [String: Value],
        invalidated: [String] = []
    ) throws(DBusError) {
        try emit("PropertiesChanged", of: "org.freedesktop.DBus.Properties", from: path) { (writer) throws(DBusError) in
            try writer.append(interface)
            try writer.append(Value.properties(changed))
            try writer.append(Value.strings(invalidated))
        }
    }

    /// Sends `InterfacesAdded` for an exported object, with its interfaces' current properties.
    public func emitInterfacesAdded(_ path: ObjectPath, manager: ObjectPath = .root) throws(DBusError) {
        let interfaces = exports.objects[path] ?? []
        try emit("InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", from: manager) {
            (writer) throws(DBusError) in
            try writer.append(path)
            try writer.append(interfaces: interfaces)
        }
    }

    /// Sends `InterfacesRemoved`.
    public func emitInterfacesRemoved(
        _ interfaces: [String],
        from path: ObjectPath,
        manager: ObjectPath = .root
    ) throws(DBusError) {
        try emit("InterfacesRemoved", of: "org.freedesktop.DBus.ObjectManager", from: manager) {
            (writer) throws(DBusError) in
            try writer.append(path)
            try writer.append(Value.strings(interfaces))
        }
    }
}
