import DBus

extension ObjectServer {
    /// Answers a call, after all that is pending.
    func reply(
        to call: IncomingCall,
        _ write: (inout MessageWriter) throws(DBusError) -> Void = { (_) throws(DBusError) in }
    ) {
        flush()
        call.reply(write)
    }

    /// Refuses a call, after all that is pending.
    func refuse(_ call: IncomingCall, _ error: DBusError) {
        flush()
        call.fail(error)
    }

    var managerInterface: BusInterface {
        BusInterface(
            StandardInterface.objectManager,
            methods: [
                .init("GetManagedObjects", output: "a{oa{sa{sv}}}") { [weak self] call in
                    self?.answerManagedObjects(call)
                }
            ]
        )
    }

    private func answerManagedObjects(_ call: IncomingCall) {
        let all = objects.values.sorted { $0.path < $1.path }
        reply(to: call) { (writer) throws(DBusError) in
            try writer.appendArray(of: "{oa{sa{sv}}}") { (writer) throws(DBusError) in
                for object in all {
                    try writer.appendEntry { (entry) throws(DBusError) in
                        try entry.append(object.path)
                        try entry.append(interfaces: object.interfaces)
                    }
                }
            }
        }
    }

    func propertiesInterface(of object: ServedObject) -> BusInterface {
        BusInterface(
            StandardInterface.properties,
            methods: [
                .init("Get", input: "ss", output: "v") { [weak self, weak object] call in
                    if let self, let object { self.answerGet(call, object) }
                },
                .init("Set", input: "ssv") { [weak self, weak object] call in
                    if let self, let object { self.answerSet(call, object) }
                },
                .init("GetAll", input: "s", output: "a{sv}") { [weak self, weak object] call in
                    if let self, let object { self.answerGetAll(call, object) }
                },
            ]
        )
    }

    private func answerGet(_ call: IncomingCall, _ object: ServedObject) {
        do throws(DBusError) {
            var reader = call.reader
            let interface = try find(try reader.readString(), object)
            let name = try reader.readString()
            guard let value = interface.property(name)?.get() else {
                throw DBusError(name: DBusError.Name.invalidArguments, message: "No such property '\(name)'")
            }
            reply(to: call) { (writer) throws(DBusError) in try writer.append(.variant(value)) }
        } catch {
            refuse(call, error)
        }
    }

    private func answerGetAll(_ call: IncomingCall, _ object: ServedObject) {
        do throws(DBusError) {
            var reader = call.reader
            let interface = try find(try reader.readString(), object)
            reply(to: call) { (writer) throws(DBusError) in try writer.append(properties: interface.properties) }
        } catch {
            refuse(call, error)
        }
    }

    private func answerSet(_ call: IncomingCall, _ object: ServedObject) {
        do throws(DBusError) {
            var reader = call.reader
            let interface = try find(try reader.readString(), object)
            let name = try reader.readString()
            guard let property = interface.property(name) else {
                throw DBusError(name: DBusError.Name.unknownProperty, message: "No such property '\(name)'")
            }
            guard let set = property.set else {
                throw DBusError(name: DBusError.Name.propertyReadOnly, message: "Property '\(name)' is not writable")
            }
            guard property.get() != nil else {
                throw DBusError(name: DBusError.Name.unknownProperty, message: "No such property '\(name)'")
            }
            let value = try reader.readVariant { (inner) throws(DBusError) in try inner.readValue() }
            guard value.signature == property.signature else {
                throw DBusError(
                    name: "org.freedesktop.DBus.Error.InvalidSignature", message: "Invalid signature for '\(name)'")
            }
            set(value, call)
        } catch {
            refuse(call, error)
        }
    }

    private func find(_ interface: String, _ object: ServedObject) throws(DBusError) -> BusInterface {
        guard let found = object.interface(interface) else {
            throw DBusError(name: DBusError.Name.invalidArguments, message: "No such interface '\(interface)'")
        }
        return found
    }
}
