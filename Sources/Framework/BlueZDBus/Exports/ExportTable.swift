/// The objects of a connection: interfaces by path.
final class ExportTable {
    private(set) var objects: [ObjectPath: [ExportedInterface]] = [:]
    var objectManagers: Set<ObjectPath> = []

    func add(_ interface: ExportedInterface, at path: ObjectPath) {
        remove(interface.name, at: path)
        objects[path, default: []].append(interface)
    }

    func remove(_ interface: String, at path: ObjectPath) {
        objects[path]?.removeAll { $0.name == interface }
        if objects[path]?.isEmpty == true { objects[path] = nil }
    }

    func remove(_ path: ObjectPath) {
        objects[path] = nil
        objectManagers.remove(path)
    }

    func interface(_ name: String, at path: ObjectPath) -> ExportedInterface? {
        objects[path]?.first { $0.name == name }
    }

    /// Returns whether there is an object at the path or below it.
    func has(_ path: ObjectPath) -> Bool {
        objects[path] != nil || objectManagers.contains(path)
            || objects.keys.contains { path.contains($0) }
    }

    /// Returns the names of the nodes directly below a path, each once, sorted.
    func children(of path: ObjectPath) -> [String] {
        let depth = path.components.count
        let names = objects.keys.compactMap { other -> String? in
            guard other != path, path.contains(other), other.components.count > depth else { return nil }
            return String(other.components[depth])
        }
        return Set(names).sorted()
    }
}
