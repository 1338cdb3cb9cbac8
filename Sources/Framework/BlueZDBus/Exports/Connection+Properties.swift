/// The calls of `org.freedesktop.DBus.Properties`.
extension Connection {
    func replyToGet(_ call: IncomingCall, _ path: ObjectPath) {
        withProperty(call, path) { (property, _) in
            guard let value = property.get() else { return Self.refuseMissing(call, property.name) }
            call.reply { (writer) throws(DBusError) in try writer.append(.variant(value)) }
        }
    }

    func replyToSet(_ call: IncomingCall, _ path: ObjectPath) {
        withProperty(call, path, unknown: DBusError.Name.unknownProperty) { (property, reader) throws(DBusError) in
            guard let set = property.set else {
                return call.fail(DBusError.Name.propertyReadOnly, "Property '\(property.name)' is not writable")
            }
            guard property.get() != nil else {
                return Self.refuseMissing(call, property.name, DBusError.Name.unknownProperty)
            }
            let value = try reader.readVariant { (inner) throws(DBusError) in try inner.readValue() }
            guard value.signature == property.signature else {
                return call.fail(DBusError.Name.invalidSignature, "Invalid signature for '\(property.name)'")
            }
            set(value, call)
        }
    }

    func replyToGetAll(_ call: IncomingCall, _ path: ObjectPath) {
        do throws(DBusError) {
            var reader = call.reader
            let name = try reader.readString()
            guard let interface = exports.interface(name, at: path) else {
                return Self.refuseMissingInterface(call, name)
            }
            call.reply { (writer) throws(DBusError) in
                try writer.append(properties: interface.currentProperties)
            }
        } catch {
            call.fail(error)
        }
    }

    private func withProperty(
        _ call: IncomingCall,
        _ path: ObjectPath,
        unknown: String = DBusError.Name.invalidArguments,
        _ body: (ExportedInterface.Property, inout MessageReader) throws(DBusError) -> Void
    ) {
        do throws(DBusError) {
            var reader = call.reader
            let interfaceName = try reader.readString()
            let name = try reader.readString()
            guard let interface = exports.interface(interfaceName, at: path) else {
                return Self.refuseMissingInterface(call, interfaceName)
            }
            guard let property = interface.property(name) else {
                return Self.refuseMissing(call, name, unknown)
            }
            try body(property, &reader)
        } catch {
            call.fail(error)
        }
    }

    private static func refuseMissing(
        _ call: IncomingCall,
        _ name: String,
        _ error: String = DBusError.Name.invalidArguments
    ) {
        call.fail(error, "No such property '\(name)'")
    }

    private static func refuseMissingInterface(_ call: IncomingCall, _ name: String) {
        call.fail(DBusError.Name.invalidArguments, "No such interface '\(name)'")
    }
}
