import BlueZDBus

/// The objects on the bus, which follow the rules of BlueZ's gdbus/object.c. Changes are collected, and sent when
/// bluetoothd would be idle and before every reply, so that a client gets the same signals in the same order.
@BlueZServerActor package final class ObjectServer {
    package private(set) var connection: Connection?
    private(set) var objects: [ObjectPath: ServedObject] = [:]
    /// Called with each call and its interface, before the object gets it. Returns true if it has handled the call.
    package var callFilter: (@BlueZServerActor (IncomingCall, String) -> Bool)?
    private var pending: [ServedObject] = []
    private var lastOrder = 0
    private var idle: BlueZServerActor.ScheduledCall?

    /// Serves objects on a new connection, without any of the old ones.
    func start(on connection: Connection) {
        stop()
        self.connection = connection
        connection.willReply = { [weak self] in self?.flush() }
        connection.callFilter = { [weak self] call, interface in self?.callFilter?(call, interface) ?? false }
        connection.exportObjectManager(at: .root)
    }

    /// Releases the connection and all objects.
    func stop() {
        idle?.cancel()
        idle = nil
        pending.removeAll()
        objects.removeAll()
        connection = nil
    }

    /// Adds an interface. `InterfacesAdded` follows.
    func register(_ interface: ExportedInterface, at path: ObjectPath) {
        let object = objects[path] ?? makeObject(path)
        guard object.interface(interface.name) == nil else { return }
        add(interface, to: object)
        if !interface.properties.isEmpty, object.interface(StandardInterface.properties) == nil {
            add(ExportedInterface(StandardInterface.properties), to: object)
        }
    }

    private func makeObject(_ path: ObjectPath) -> ServedObject {
        let object = ServedObject(path: path)
        objects[path] = object
        add(ExportedInterface(StandardInterface.introspectable), to: object)
        return object
    }

    private func add(_ interface: ExportedInterface, to object: ServedObject) {
        object.interfaces.append(interface)
        object.added.append(interface.name)
        connection?.export(interface, at: object.path)
        enqueue(object)
    }

    /// Removes an interface. `InterfacesRemoved` is sent immediately if it is the object's last one.
    func unregister(_ name: String, at path: ObjectPath, beforeRemoval: () -> Void = {}) {
        guard let object = objects[path], let interface = object.interface(name) else { return }
        emitChanges(of: interface, object)
        beforeRemoval()
        remove(name, from: object)
        guard object.isEmpty else { return }
        remove(StandardInterface.introspectable, from: object)
        remove(StandardInterface.properties, from: object)
        objects[path] = nil
        if object.order != nil { process(object) }
    }

    private func remove(_ name: String, from object: ServedObject) {
        guard object.interface(name) != nil else { return }
        object.interfaces.removeAll { $0.name == name }
        object.changed[name] = nil
        connection?.unexport(name, at: object.path)
        if let index = object.added.firstIndex(of: name) {
            object.added.remove(at: index)
        } else {
            object.removed.insert(name, at: 0)
            enqueue(object)
        }
    }

    /// Reports that a property has another value, or none.
    ///
    /// - Parameter atOnce: whether to send it now, as bluetoothd does for a characteristic's value.
    func changed(_ property: String, of interface: String, at path: ObjectPath, atOnce: Bool = false) {
        guard let object = objects[path], object.interface(interface) != nil else { return }
        guard !object.added.contains(interface) else { return }
        if object.changed[interface]?.contains(property) != true {
            object.changed[interface, default: []].append(property)
        }
        if atOnce { emitAllChanges(of: object) } else { enqueue(object) }
    }

    private func enqueue(_ object: ServedObject) {
        if object.order == nil { pending.append(object) }
        lastOrder += 1
        object.order = lastOrder
        guard idle == nil else { return }
        idle = BlueZServerActor.schedule(after: .zero) { [weak self] in self?.runIdle() }
    }

    private func runIdle() {
        idle = nil
        let due = pending.sorted { ($0.order ?? 0) < ($1.order ?? 0) }
        pending.removeAll()
        for object in due where object.order != nil { process(object) }
    }

    /// Sends everything that is pending, in the order in which the objects first changed.
    func flush() {
        let due = pending
        pending.removeAll()
        for object in due where object.order != nil { process(object) }
    }

    /// Sends a signal with texts, after everything that is pending (gdbus/object.c: g_dbus_send_message).
    func emit(_ member: String, of interface: String, from path: ObjectPath, _ texts: [String]) {
        flush()
        send { (connection) throws(DBusError) in
            try connection.emit(member, of: interface, from: path) { (writer) throws(DBusError) in
                for text in texts { try writer.append(text) }
            }
        }
    }

    private func process(_ object: ServedObject) {
        object.order = nil
        pending.removeAll { $0 === object }
        if !object.added.isEmpty { emitAdded(object) }
        emitAllChanges(of: object)
        if !object.removed.isEmpty { emitRemoved(object) }
    }

    private func emitAdded(_ object: ServedObject) {
        var ancestor = object.path.parent
        while let path = ancestor {
            if let parent = objects[path] {
                if !parent.added.isEmpty { emitAdded(parent) }
                break
            }
            ancestor = path.parent
        }
        let names = object.added
        object.added.removeAll()
        send { (connection) throws(DBusError) in try connection.emitInterfacesAdded(names, at: object.path) }
    }

    private func emitRemoved(_ object: ServedObject) {
        let names = object.removed
        object.removed.removeAll()
        send { (connection) throws(DBusError) in try connection.emitInterfacesRemoved(names, from: object.path) }
    }

    private func emitAllChanges(of object: ServedObject) {
        for interface in object.interfaces { emitChanges(of: interface, object) }
    }

    private func emitChanges(of interface: ExportedInterface, _ object: ServedObject) {
        guard let names = object.changed.removeValue(forKey: interface.name) else { return }
        let properties = names.compactMap { interface.property($0) }.map { (key: $0.name, value: $0.get()) }
        let changed = properties.compactMap { property in property.value.map { (key: property.key, value: $0) } }
        let invalidated = properties.filter { $0.value == nil }.map(\.key)
        send { (connection) throws(DBusError) in
            try connection.emitPropertiesChanged(
                interface.name, at: object.path, changed: changed, invalidated: invalidated.reversed())
        }
    }

    /// Sends a signal now. A closed connection sends nothing, like a dead daemon. A signal that cannot be sent is
    /// dropped, because data from a device or another program, such as more bytes than a message can have, must end
    /// neither this process nor the service for others.
    private func send(_ emit: (Connection) throws(DBusError) -> Void) {
        guard let connection else { return }
        try? emit(connection)
    }
}

/// An object on the bus with its unreported changes.
@BlueZServerActor final class ServedObject {
    let path: ObjectPath
    var interfaces: [ExportedInterface] = []
    var added: [String] = []
    var removed: [String] = []
    var changed: [String: [String]] = [:]
    /// The object's position in the queue of idle work; nil if nothing is pending.
    var order: Int?

    init(path: ObjectPath) {
        self.path = path
    }

    func interface(_ name: String) -> ExportedInterface? {
        interfaces.first { $0.name == name }
    }

    /// Whether only the interfaces of the D-Bus specification are left.
    var isEmpty: Bool {
        !interfaces.contains { !$0.name.hasPrefix("org.freedesktop.DBus.") }
    }
}
