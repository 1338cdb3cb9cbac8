extension Connection {
    /// Sends a signal with the arguments that `write` appends.
    ///
    /// - Throws: `DBusError` if a name or value cannot be sent, or the connection is closed.
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

    /// Sends `org.freedesktop.DBus.Properties.PropertiesChanged`, with the changed properties in their order.
    public func emitPropertiesChanged(
        _ interface: String,
        at path: ObjectPath,
        changed: some Sequence<(key: String, value: Value)>,
        invalidated: [String] = []
    ) throws(DBusError) {
        try emit("PropertiesChanged", of: StandardInterface.properties, from: path) { (writer) throws(DBusError) in
            try writer.append(interface)
            try writer.append(properties: changed)
            try writer.append(Value.strings(invalidated))
        }
    }

    /// Sends `InterfacesAdded` for an exported object, with its interfaces' current properties.
    ///
    /// - Parameter names: the interfaces that were added; nil means all of the object's.
    public func emitInterfacesAdded(
        _ names: [String]? = nil,
        at path: ObjectPath,
        manager: ObjectPath = .root
    ) throws(DBusError) {
        let interfaces = (exports.objects[path] ?? []).filter { names?.contains($0.name) ?? true }
        try emit("InterfacesAdded", of: StandardInterface.objectManager, from: manager) {
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
        try emit("InterfacesRemoved", of: StandardInterface.objectManager, from: manager) {
            (writer) throws(DBusError) in
            try writer.append(path)
            try writer.append(Value.strings(interfaces))
        }
    }
}
