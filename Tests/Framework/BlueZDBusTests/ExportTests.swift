import BlueZDBus
import TestSupport
import Testing

@Suite struct ExportTests {
    static let properties = "org.freedesktop.DBus.Properties"

    /// What the exported object keeps, and the object.
    @TestActor final class Device {
        var name = "first"
        var hasLevel = true

        func export(on peer: TestPeer) throws {
            let interface = ExportedInterface(
                "org.example.Device",
                methods: [
                    .init("Connect") { $0.reply() },
                    .init("Drop") { _ in },
                    .init("WrongAnswer", output: "s") { call in
                        call.reply { (writer) throws(DBusError) in try writer.append("\u{0}") }
                    },
                    .init("WrongError") { $0.fail("no name", "a\u{0}b") },
                    .init("Twice") { call in
                        call.reply()
                        call.fail("org.example.Error.Second", "")
                    },
                ],
                properties: [
                    .init(
                        "Name", "s", get: { self.name.isEmpty ? nil : .string(self.name) },
                        set: { value, call in
                            if case .string(let text) = value { self.name = text }
                            call.reply()
                        }
                    ),
                    .init("Level", "y", get: { self.hasLevel ? .byte(7) : nil }),
                ],
                signals: [.init("Changed", "sa{sv}")]
            )
            try peer.open.export(interface, at: ObjectPath("/org/device"))
            try peer.open.export(ExportedInterface("org.example.Child"), at: ObjectPath("/org/device/child"))
            try peer.open.exportObjectManager(at: .root)
        }
    }

    @TestActor struct Pair {
        let bus: PrivateBus
        let server: TestPeer
        let client: TestPeer
        let device = Device()

        init() async throws {
            bus = try PrivateBus()
            server = try await TestPeer(bus.address)
            client = try await TestPeer(bus.address)
            try device.export(on: server)
        }

        func call(
            _ path: String, _ interface: String, _ member: String, _ arguments: [Value] = []
        ) async throws -> [Value] {
            try await client.call(server.name, path, interface, member, arguments)
        }

        func error(
            _ path: String, _ interface: String, _ member: String, _ arguments: [Value] = []
        ) async throws -> DBusError? {
            do {
                _ = try await call(path, interface, member, arguments)
                return nil
            } catch let error as DBusError {
                return error
            }
        }
    }

    @Test(
        "A call that nothing answers gets the error that libdbus would give",
        arguments: [
            ("/org/nothing", "org.example.Device", "Connect", [], "UnknownObject"),
            ("/org/device", "org.example.Device", "Nothing", [], "UnknownMethod"),
            ("/org/device", "org.example.Nothing", "Connect", [], "UnknownMethod"),
            ("/org/device", "org.example.Device", "Connect", [.string("too much")], "UnknownMethod"),
            ("/org/nothing", properties, "GetAll", [.string("a.b")], "UnknownObject"),
            ("/org/nothing", "org.freedesktop.DBus.Introspectable", "Introspect", [], "UnknownObject"),
            ("/org/device", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", [], "UnknownMethod"),
        ] as [(String, String, String, [Value], String)]
    )
    func unknown(_ path: String, _ interface: String, _ member: String, _ arguments: [Value], _ name: String)
        async throws
    {
        try await TestActor.run {
            let pair = try await Pair()
            let error = try await pair.error(path, interface, member, arguments)
            let signature = arguments.map(\.signature).joined()
            #expect(error?.name == "org.freedesktop.DBus.Error.\(name)")
            #expect(
                error?.message
                    == "Method \"\(member)\" with signature \"\(signature)\" on interface \"\(interface)\" doesn't exist\n"
            )
        }
    }

    @Test("Properties are read one by one and all together, without those that are not there now")
    func getProperties() async throws {
        try await TestActor.run {
            let pair = try await Pair()
            let device = Value.string("org.example.Device")
            #expect(
                try await pair.call("/org/device", Self.properties, "Get", [device, .string("Name")])
                    == [.variant(.string("first"))])
            #expect(
                try await pair.call("/org/device", Self.properties, "GetAll", [device])
                    == [.properties(["Name": .string("first"), "Level": .byte(7)])])
            pair.device.hasLevel = false
            #expect(
                try await pair.call("/org/device", Self.properties, "GetAll", [device])
                    == [.properties(["Name": .string("first")])])
        }
    }

    @Test("A property that can be written is, and then has its new value")
    func setProperty() async throws {
        try await TestActor.run {
            let pair = try await Pair()
            let name: [Value] = [.string("org.example.Device"), .string("Name")]
            #expect(
                try await pair.call("/org/device", Self.properties, "Set", name + [.variant(.string("second"))]).isEmpty
            )
            #expect(
                try await pair.call("/org/device", Self.properties, "Get", name) == [.variant(.string("second"))])
        }
    }

    @Test(
        "A wrong property access fails with an error that names what is wrong",
        arguments: [
            ("Get", ["org.example.Nothing", "Name"], nil, "InvalidArgs", "No such interface 'org.example.Nothing'"),
            ("Get", ["org.example.Device", "Nothing"], nil, "InvalidArgs", "No such property 'Nothing'"),
            ("GetAll", ["org.example.Nothing"], nil, "InvalidArgs", "No such interface 'org.example.Nothing'"),
            (
                "Set", ["org.example.Nothing", "Name"], .string("a"), "InvalidArgs",
                "No such interface 'org.example.Nothing'"
            ),
            ("Set", ["org.example.Device", "Nothing"], .string("a"), "UnknownProperty", "No such property 'Nothing'"),
            ("Set", ["org.example.Device", "Level"], .byte(1), "PropertyReadOnly", "Property 'Level' is not writable"),
            ("Set", ["org.example.Device", "Name"], .byte(1), "InvalidSignature", "Invalid signature for 'Name'"),
            (
                "Set", ["org.example.Device", "Name"], .variant(.string("a")), "InvalidSignature",
                "Invalid signature for 'Name'"
            ),
        ] as [(String, [String], Value?, String, String)]
    )
    func wrongProperty(_ member: String, _ names: [String], _ value: Value?, _ error: String, _ text: String)
        async throws
    {
        try await TestActor.run {
            let pair = try await Pair()
            let arguments = names.map(Value.string) + (value.map { [.variant($0)] } ?? [])
            let found = try await pair.error("/org/device", Self.properties, member, arguments)
            #expect(found == DBusError(name: "org.freedesktop.DBus.Error.\(error)", message: text))
            #expect(pair.device.name == "first")
        }
    }

    @Test("A property that is not there now cannot be read or written")
    func missingProperty() async throws {
        try await TestActor.run {
            let pair = try await Pair()
            pair.device.name = ""
            let name: [Value] = [.string("org.example.Device"), .string("Name")]
            #expect(
                try await pair.error("/org/device", Self.properties, "Get", name)
                    == DBusError(name: DBusError.Name.invalidArguments, message: "No such property 'Name'"))
            #expect(
                try await pair.error("/org/device", Self.properties, "Set", name + [.variant(.string("a"))])
                    == DBusError(name: DBusError.Name.unknownProperty, message: "No such property 'Name'"))
        }
    }

    @Test("Every object answers Ping and GetMachineId, even one that is not there", arguments: ["/", "/nothing"])
    func peer(_ path: String) async throws {
        try await TestActor.run {
            let pair = try await Pair()
            #expect(try await pair.call(path, "org.freedesktop.DBus.Peer", "Ping").isEmpty)
            do {
                let answer = try await pair.call(path, "org.freedesktop.DBus.Peer", "GetMachineId")
                guard case .string(let identifier) = answer.first else { return #expect(Bool(false), "\(answer)") }
                #expect(identifier.count == 32 && identifier.allSatisfy(\.isHexDigit))
            } catch let error as DBusError {
                #expect(error.name == DBusError.Name.failed)
            }
        }
    }

    @Test("GetManagedObjects has all objects below the manager with their interfaces and properties")
    func managedObjects() async throws {
        try await TestActor.run {
            let pair = try await Pair()
            try pair.server.open.export(ExportedInterface("org.example.Root"), at: .root)
            let device: Value = .dictionary(
                key: "s", value: "a{sv}",
                [.string("org.example.Device"): .properties(["Name": .string("first"), "Level": .byte(7)])]
            )
            let child: Value = .dictionary(key: "s", value: "a{sv}", [.string("org.example.Child"): .properties([:])])
            let objects: [Value: Value] = [
                .objectPath(try ObjectPath("/org/device")): device,
                .objectPath(try ObjectPath("/org/device/child")): child,
            ]
            let answer = try await pair.call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
            #expect(answer == [.dictionary(key: "o", value: "a{sa{sv}}", objects)])
        }
    }

    @Test("A call that is dropped, or answered with what cannot be sent, still gets one answer")
    func answers() async throws {
        try await TestActor.run {
            let pair = try await Pair()
            let interface = "org.example.Device"
            #expect(
                try await pair.error("/org/device", interface, "Drop")
                    == DBusError(name: DBusError.Name.failed, message: "The call was dropped"))
            #expect(
                try await pair.error("/org/device", interface, "WrongAnswer")?.name == DBusError.Name.invalidArguments)
            #expect(
                try await pair.error("/org/device", interface, "WrongError")
                    == DBusError(name: DBusError.Name.failed, message: "ab"))
            #expect(try await pair.call("/org/device", interface, "Twice").isEmpty)
        }
    }

    @Test("An interface that was removed no longer answers")
    func unexport() async throws {
        try await TestActor.run {
            let pair = try await Pair()
            try pair.server.open.unexport("org.example.Child", at: ObjectPath("/org/device/child"))
            try pair.server.open.unexport(ObjectPath("/org/device"))
            #expect(
                try await pair.error("/org/device", "org.example.Device", "Connect")?.name
                    == DBusError.Name.unknownObject)
        }
    }

    @Test(
        "An object describes itself and its children in well-formed XML",
        arguments: [
            ("/", ["org.freedesktop.DBus.ObjectManager", "GetManagedObjects", "<node name=\"org\"/>"]),
            ("/org", ["<node name=\"device\"/>"]),
            (
                "/org/device",
                [
                    "org.example.Device", "<node name=\"child\"/>",
                    "<property name=\"Level\" type=\"y\" access=\"read\"/>",
                    "<property name=\"Name\" type=\"s\" access=\"readwrite\"/>", "<arg type=\"a{sv}\"/>",
                    "<arg direction=\"out\" type=\"s\"/>",
                ]
            ),
        ]
    )
    func introspect(_ path: String, _ parts: [String]) async throws {
        try await TestActor.run {
            let pair = try await Pair()
            let answer = try await pair.call(path, "org.freedesktop.DBus.Introspectable", "Introspect")
            guard case .string(let xml) = answer.first else { return #expect(Bool(false), "\(answer)") }
            for part in parts { #expect(xml.contains(part)) }
            #expect(Self.isBalanced(xml))
        }
    }

    @Test("The check for well-formed XML finds what is not")
    func balance() {
        #expect(Self.isBalanced("<!DOCTYPE a><a><b c=\"d\"/></a>"))
        #expect(!Self.isBalanced("<a><b></a></b>"))
        #expect(!Self.isBalanced("<a>"))
        #expect(!Self.isBalanced("<a b=\"c></a>"))
    }

    /// Whether each element is closed in its order and each quote has its other.
    private static func isBalanced(_ xml: String) -> Bool {
        var open: [Substring] = []
        for tag in xml.split(separator: "<").dropFirst(xml.hasPrefix("<") ? 0 : 1) {
            guard let end = tag.firstIndex(of: ">") else { return false }
            let content = tag[..<end]
            guard content.count(where: { $0 == "\"" }).isMultiple(of: 2) else { return false }
            if content.hasPrefix("!") || content.hasSuffix("/") { continue }
            if content.hasPrefix("/") {
                guard open.popLast() == content.dropFirst() else { return false }
            } else {
                open.append(content.prefix { $0 != " " })
            }
        }
        return open.isEmpty
    }
}
