import BlueZDBus
import TestSupport

/// A program that offers services: it knows nothing but D-Bus, and answers as a test says.
@ClientActor final class Application {
    /// What a method returns.
    enum Reply {
        case values([Value])
        case error(String, String)
        /// Nothing, until `release` is called.
        case none
    }

    nonisolated static let root = "/app"
    let client: Client
    /// The calls of bluetoothd, one line each: the member, the object's last component, the arguments.
    private(set) var calls: [String] = []
    private var replies: [String: Reply] = [:]
    private var held: [IncomingCall] = []
    private var setProperties: [String: Value] = [:]

    init(_ address: String) async throws {
        client = try await Client(address)
        client.connection?.exportObjectManager(at: try ObjectPath(Self.root))
    }

    /// Adds a service with a UUID.
    func addService(
        _ uuid: String = "180D", at name: String = "service0", isPrimary: Bool = true, more: [String: Value] = [:]
    ) throws {
        let properties: [String: Value] = ["UUID": .string(uuid), "Primary": .boolean(isPrimary)]
        try export("org.bluez.GattService1", at: name, properties.merging(more) { $1 }, [])
    }

    /// Adds a characteristic, whose methods are answered by `replies`.
    func addCharacteristic(
        _ flags: [String], uuid: String = "2A37", at name: String = "service0/char0", more: [String: Value] = [:]
    ) throws {
        let service = try ObjectPath(Self.root + "/" + String(name.split(separator: "/")[0]))
        let properties: [String: Value] = [
            "UUID": .string(uuid), "Service": .objectPath(service), "Flags": .strings(flags),
        ]
        try export(
            "org.bluez.GattCharacteristic1", at: name, properties.merging(more) { $1 },
            [
                ("ReadValue", "a{sv}"), ("WriteValue", "aya{sv}"), ("StartNotify", ""), ("StopNotify", ""),
                ("Confirm", ""), ("AcquireWrite", "a{sv}"), ("AcquireNotify", "a{sv}"),
            ])
    }

    /// Adds a descriptor.
    func addDescriptor(
        _ uuid: String, at name: String, _ flags: [String], more: [String: Value] = [:]
    ) throws {
        let characteristic = try ObjectPath(
            Self.root + "/" + name.split(separator: "/").dropLast().joined(separator: "/"))
        let properties: [String: Value] = [
            "UUID": .string(uuid), "Characteristic": .objectPath(characteristic), "Flags": .strings(flags),
        ]
        try export(
            "org.bluez.GattDescriptor1", at: name, properties.merging(more) { $1 },
            [("ReadValue", "a{sv}"), ("WriteValue", "aya{sv}")])
    }

    private func export(
        _ interface: String, at name: String, _ properties: [String: Value], _ methods: [(String, String)]
    ) throws {
        let path = try ObjectPath(Self.root + "/" + name)
        let exported = ExportedInterface(
            interface,
            methods: methods.map { member, signature in
                .init(member, input: signature) { [weak self] call in self?.answer(call, member, path) }
            },
            properties: properties.map { key, value in
                .init(
                    key, value.signature, get: { [weak self] in self?.setProperties["\(path) \(key)"] ?? value },
                    set: { [weak self] value, call in
                        self?.setProperties["\(path) \(key)"] = value
                        self?.calls.append("Set \(path.lastComponent) \(key)=\(text(value))")
                        call.reply()
                    })
            })
        client.connection?.export(exported, at: path)
    }

    /// Sets what a method returns from now on.
    func reply(_ reply: Reply, to member: String, of name: String = "char0") { replies["\(member) \(name)"] = reply }

    /// Replies to the calls that got none.
    func release(_ values: [Value] = []) {
        let calls = held
        held.removeAll()
        for call in calls { Self.reply(call, values) }
    }

    private func answer(_ call: IncomingCall, _ member: String, _ path: ObjectPath) {
        var reader = call.reader
        let arguments = (try? reader.readRemainingValues()) ?? []
        let name = String(path.lastComponent)
        calls.append(([member, name] + arguments.map(text)).joined(separator: " "))
        switch replies["\(member) \(name)"] ?? .values(member == "ReadValue" ? [.bytes([1, 2, 3])] : []) {
        case .values(let values): Self.reply(call, values)
        case .error(let name, let message): call.fail(name, message)
        case .none: held.append(call)
        }
    }

    private static func reply(_ call: IncomingCall, _ values: [Value]) {
        call.reply { (writer) throws(DBusError) in for value in values { try writer.append(value) } }
    }

    func forgetCalls() { calls.removeAll() }

    /// Waits until bluetoothd has made a call that begins with the text.
    func wait(forCall line: String) async throws {
        try await eventually("\(line); the calls are \(calls)") { calls.contains { $0.hasPrefix(line) } }
    }

    /// Registers the objects.
    func register(on adapter: String = ProbeFixture.adapter) async throws {
        try await client.call(adapter, "GattManager1", "RegisterApplication", arguments)
    }

    /// The arguments of RegisterApplication.
    nonisolated var arguments: [Value] {
        guard let path = try? ObjectPath(Self.root) else { return [] }
        return [.objectPath(path), .properties([:])]
    }

    func unregister(on adapter: String = ProbeFixture.adapter) async throws {
        try await client.call(adapter, "GattManager1", "UnregisterApplication", Array(arguments.prefix(1)))
    }

    /// Reports a characteristic's value, which bluetoothd notifies before this returns.
    func report(_ value: [UInt8], of name: String = "service0/char0") async throws {
        try client.connection?.emitPropertiesChanged(
            "org.bluez.GattCharacteristic1", at: ObjectPath(Self.root + "/" + name),
            changed: [(key: "Value", value: .bytes(value))], invalidated: [])
        try await client.call(ProbeFixture.adapter, "Adapter1", "GetDiscoveryFilters")
    }

    /// Reports that a service is gone.
    func remove(_ name: String, _ interface: String = "org.bluez.GattService1") throws {
        let path = try ObjectPath(Self.root + "/" + name)
        client.connection?.unexport(path)
        try client.connection?.emit(
            "InterfacesRemoved", of: "org.freedesktop.DBus.ObjectManager", from: ObjectPath(Self.root)
        ) { (writer) throws(DBusError) in
            try writer.append(path)
            try writer.append(Value.strings([interface]))
        }
    }
}
