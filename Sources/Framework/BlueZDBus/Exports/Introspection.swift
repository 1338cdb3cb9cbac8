import CBlueZDBus

/// The XML that describes an object, in the introspection format of the D-Bus specification.
enum Introspection {
    static func xml(_ interfaces: [ExportedInterface], children: [String]) -> String {
        var xml = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        for interface in interfaces { xml += element(interface) }
        for child in children { xml += "<node name=\"\(child)\"/>\n" }
        return xml + "</node>\n"
    }

    private static func element(_ interface: ExportedInterface) -> String {
        var xml = "<interface name=\"\(interface.name)\">\n"
        for method in interface.methods {
            xml += "<method name=\"\(method.name)\">\n"
            xml += arguments(method.input, "direction=\"in\" ") + arguments(method.output, "direction=\"out\" ")
            xml += "</method>\n"
        }
        for property in interface.properties {
            let access = property.set == nil ? "read" : "readwrite"
            xml += "<property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\"/>\n"
        }
        for signal in interface.signals {
            xml += "<signal name=\"\(signal.name)\">\n\(arguments(signal.signature, ""))</signal>\n"
        }
        return xml + "</interface>\n"
    }

    private static func arguments(_ signature: String, _ direction: String) -> String {
        singleTypes(signature).map { "<arg \(direction)type=\"\($0)\"/>\n" }.joined()
    }

    /// Splits a signature into its single complete types. libdbus's iterator points into the text, which must not move
    /// in the meantime.
    private static func singleTypes(_ signature: String) -> [String] {
        unsafe signature.withCString { signature in
            guard unsafe signature.pointee != 0, unsafe dbus_signature_validate(signature, nil) != 0 else { return [] }
            var iterator = unsafe DBusSignatureIter()
            unsafe dbus_signature_iter_init(&iterator, signature)
            var types: [String] = []
            repeat {
                guard let text = unsafe dbus_signature_iter_get_signature(&iterator) else { break }
                unsafe types.append(String(cString: text))
                unsafe dbus_free(text)
            } while unsafe dbus_signature_iter_next(&iterator) != 0
            return types
        }
    }
}
