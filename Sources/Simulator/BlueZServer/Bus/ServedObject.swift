import BlueZDBus

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
