extension MessageWriter {
    /// Appends `a{sv}`: properties with their values, in this order.
    public mutating func append(properties: some Sequence<(key: String, value: Value)>) throws(DBusError) {
        try appendArray(of: "{sv}") { (writer) throws(DBusError) in
            for (name, value) in properties {
                try writer.appendEntry { (entry) throws(DBusError) in
                    try entry.append(name)
                    try entry.append(.variant(value))
                }
            }
        }
    }

    /// Appends `a{sa{sv}}`: interfaces with their properties, as `InterfacesAdded` and `GetManagedObjects` carry them.
    public mutating func append(interfaces: [ExportedInterface]) throws(DBusError) {
        try appendArray(of: "{sa{sv}}") { (writer) throws(DBusError) in
            for interface in interfaces {
                try writer.appendEntry { (entry) throws(DBusError) in
                    try entry.append(interface.name)
                    try entry.append(properties: interface.currentProperties)
                }
            }
        }
    }
}
