import BlueZDBus

/// An object of bluetoothd, with its own interface.
@BlueZServerActor protocol BusObject: AnyObject {
    static var interface: String { get }
    var path: ObjectPath { get }
    var server: ObjectServer { get }
}

extension BusObject {
    /// Adds the interface to the bus.
    func register(methods: [ExportedInterface.Method] = [], properties: [ExportedInterface.Property]) {
        server.register(ExportedInterface(Self.interface, methods: methods, properties: properties), at: path)
    }

    /// Returns a method, which works for as long as the object exists.
    func method(
        _ name: String, input: String = "", output: String = "",
        _ body: @escaping @BlueZServerActor (Self, IncomingCall) -> Void
    ) -> ExportedInterface.Method {
        .init(name, input: input, output: output) { [weak self] call in
            if let self { body(self, call) }
        }
    }

    /// Returns a property, which is read-only if `set` is nil. `set` replies to the call.
    func property(
        _ name: String, _ signature: String, _ get: @escaping @BlueZServerActor (Self) -> Value?,
        set: (@BlueZServerActor (Self, Value, IncomingCall) -> Void)? = nil
    ) -> ExportedInterface.Property {
        let setter = set.map { set in
            { [weak self] (value: Value, call: IncomingCall) in
                if let self { set(self, value, call) }
            }
        }
        return .init(name, signature, get: { [weak self] in self.flatMap { get($0) } }, set: setter)
    }

    /// Reports that properties have other values, or none.
    func changed(_ properties: String...) {
        for property in properties { server.changed(property, of: Self.interface, at: path) }
    }

    /// Stores the value of a property, and reports it if it has changed.
    func set<T: Equatable>(_ name: String, _ property: ReferenceWritableKeyPath<Self, T>, _ value: T) {
        guard self[keyPath: property] != value else { return }
        self[keyPath: property] = value
        changed(name)
    }
}
