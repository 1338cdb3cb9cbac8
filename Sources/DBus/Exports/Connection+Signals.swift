import FoundationEssentials

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

    /// Sends `PropertiesChanged` for one property with the type `ay` to one peer, which needs no match rule.
    package func emitChange(
        of property: String, to bytes: Data, _ interface: String, at path: ObjectPath, destination: String
    ) throws(DBusError) {
        let message = try Message.signal(
            path: path, interface: StandardInterface.properties, member: "PropertiesChanged", destination: destination)
        try message.write { (writer) throws(DBusError) in
            try writer.append(interface)
            try writer.appendArray(of: "{sv}") { (writer) throws(DBusError) in
                try writer.appendEntry { (entry) throws(DBusError) in
                    try entry.append(property)
                    try entry.appendVariant("ay") { (value) throws(DBusError) in try value.append([UInt8](bytes)) }
                }
            }
            try writer.appendArray(of: "s") { (_) throws(DBusError) in }
        }
        try send(message)
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
