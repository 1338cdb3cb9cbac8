import CDBus

/// The XML by which an object describes itself, after the D-Bus specification's introspection format.
enum Introspection {
    static func xml(of path: ObjectPath, in exports: ExportTable) -> String {
        var xml = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        let interfaces = exports.objects[path] ?? []
        for interface in interfaces { xml += element(interface) }
        xml += standardInterfaces(hasProperties: !interfaces.isEmpty, isManager: exports.objectManagers.contains(path))
        for child in exports.children(of: path) { xml += "<node name=\"\(child)\"/>\n" }
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

    private static func standardInterfaces(hasProperties: Bool, isManager: Bool) -> String {
        var interfaces = [
            ExportedInterface(
                "org.freedesktop.DBus.Introspectable",
                methods: [.init("Introspect", output: "s") { $0.abandon() }]
            )
        ]
        if hasProperties {
            interfaces.append(
                ExportedInterface(
                    "org.freedesktop.DBus.Properties",
                    methods: [
                        .init("Get", input: "ss", output: "v") { $0.abandon() },
                        .init("GetAll", input: "s", output: "a{sv}") { $0.abandon() },
                        .init("Set", input: "ssv") { $0.abandon() },
                    ],
                    signals: [.init("PropertiesChanged", "sa{sv}as")]
                )
            )
        }
        if isManager {
            interfaces.append(
                ExportedInterface(
                    "org.freedesktop.DBus.ObjectManager",
                    methods: [.init("GetManagedObjects", output: "a{oa{sa{sv}}}") { $0.abandon() }],
                    signals: [.init("InterfacesAdded", "oa{sa{sv}}"), .init("InterfacesRemoved", "oas")]
                )
            )
        }
        return interfaces.map(element).joined()
    }

    private static func arguments(_ signature: String, _ direction: String) -> String {
        singleTypes(signature).map { "<arg \(direction)type=\"\($0)\"/>\n" }.joined()
    }

    /// Cuts a signature into its single complete types. libdbus's iterator points into the text, which therefore has to
    /// stay where it is meanwhile.
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
