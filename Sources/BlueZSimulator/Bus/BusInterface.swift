import DBus

/// A property of one of the simulator's objects. A `get` that returns nil means that the object has none now.
struct BusProperty {
    let name: String
    let signature: String
    let get: () -> Value?
    let set: ((Value, IncomingCall) -> Void)?

    init(
        _ name: String,
        _ signature: String,
        get: @escaping () -> Value?,
        set: ((Value, IncomingCall) -> Void)? = nil
    ) {
        self.name = name
        self.signature = signature
        self.get = get
        self.set = set
    }
}

/// An interface of one of the simulator's objects. Its properties are sent in this order.
struct BusInterface {
    let name: String
    var methods: [ExportedInterface.Method]
    let properties: [BusProperty]

    init(_ name: String, methods: [ExportedInterface.Method] = [], properties: [BusProperty] = []) {
        self.name = name
        self.methods = methods
        self.properties = properties
    }

    func property(_ name: String) -> BusProperty? {
        properties.first { $0.name == name }
    }

    var exported: ExportedInterface {
        ExportedInterface(
            name,
            methods: methods,
            properties: properties.map { .init($0.name, $0.signature, get: $0.get, set: $0.set) }
        )
    }
}

/// The interfaces of the D-Bus specification, which BlueZ's objects have too.
enum StandardInterface {
    static let introspectable = "org.freedesktop.DBus.Introspectable"
    static let properties = "org.freedesktop.DBus.Properties"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
}

extension MessageWriter {
    /// Appends `a{sv}` in the order of the interface's table.
    mutating func append(properties: [BusProperty]) throws(DBusError) {
        try appendArray(of: "{sv}") { (writer) throws(DBusError) in
            for property in properties {
                guard let value = property.get() else { continue }
                try writer.appendEntry { (entry) throws(DBusError) in
                    try entry.append(property.name)
                    try entry.append(.variant(value))
                }
            }
        }
    }

    /// Appends `a{sa{sv}}`.
    mutating func append(interfaces: [BusInterface]) throws(DBusError) {
        try appendArray(of: "{sa{sv}}") { (writer) throws(DBusError) in
            for interface in interfaces {
                try writer.appendEntry { (entry) throws(DBusError) in
                    try entry.append(interface.name)
                    try entry.append(properties: interface.properties)
                }
            }
        }
    }
}
