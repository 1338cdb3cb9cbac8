import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@Suite("The registration of services", .virtualTime) struct RegistrationTests {
    private static let failed = "org.bluez.Error.Failed: "
    private static let invalid = failed + "No valid service object found"
    private static let refused = failed + "Failed to create entry in database"

    /// The error of RegisterApplication.
    @ClientActor private static func error(
        of adapter: String = ProbeFixture.adapter, _ fixture: ServingFixture
    ) async throws -> String {
        try await fixture.application.client.error(
            adapter, "GattManager1", "RegisterApplication", fixture.application.arguments)
    }

    @Test("A program without an object manager, or without objects, is refused", arguments: [true, false])
    @ClientActor func noObjects(hasManager: Bool) async throws {
        let fixture = try await ServingFixture()
        let path = try ObjectPath(hasManager ? Application.root : "/nothing")
        let error = try await fixture.application.client.error(
            ProbeFixture.adapter, "GattManager1", "RegisterApplication", [.objectPath(path), .properties([:])])
        #expect(error == Self.failed + "No object received")
    }

    @Test("A characteristic with an unknown flag or none makes a program invalid", arguments: [["read", "fly"], []])
    @ClientActor func flags(_ flags: [String]) async throws {
        let fixture = try await ServingFixture()
        try fixture.application.addService()
        try fixture.application.addCharacteristic(flags)
        #expect(try await Self.error(fixture) == Self.invalid)
    }

    @Test("A characteristic of another program's service makes a program invalid") @ClientActor
    func strayCharacteristic()
        async throws
    {
        let fixture = try await ServingFixture()
        try fixture.application.addService()
        try fixture.application.addCharacteristic(["read"], at: "service1/char0")
        #expect(try await Self.error(fixture) == Self.invalid)
    }

    @Test("bluetoothd's own services, and text that is no UUID, are refused", arguments: ["1800", "1801", "180", ""])
    @ClientActor func reserved(_ uuid: String) async throws {
        let fixture = try await ServingFixture()
        try fixture.application.addService(uuid)
        #expect(try await Self.error(fixture) == Self.refused)
        #expect(try await Self.error(fixture) == Self.refused, "The registration that failed is forgotten")
    }

    @Test("A service with handles that are taken is refused") @ClientActor func equalHandles() async throws {
        let fixture = try await ServingFixture()
        try fixture.application.addService("180D", at: "service0", more: ["Handle": .uint16(100)])
        try fixture.application.addService("180F", at: "service1", more: ["Handle": .uint16(100)])
        #expect(try await Self.error(fixture) == Self.refused)
    }

    @Test("A program is registered once, and unregistered once") @ClientActor func twice() async throws {
        let fixture = try await ServingFixture()
        try fixture.application.addService()
        try await fixture.application.register()
        #expect(try await Self.error(fixture) == "org.bluez.Error.AlreadyExists: Already Exists")
        try await fixture.application.unregister()
        let error = try await fixture.application.client.error(
            ProbeFixture.adapter, "GattManager1", "UnregisterApplication",
            Array(fixture.application.arguments.prefix(1)))
        #expect(error == "org.bluez.Error.DoesNotExist: Does Not Exist")
    }

    @Test("A program with only a profile is accepted") @ClientActor func profile() async throws {
        let fixture = try await ServingFixture()
        let interface = ExportedInterface(
            "org.bluez.GattProfile1", methods: [.init("Release") { $0.reply() }],
            properties: [.init("UUIDs", "as", get: { .strings(["180D"]) })])
        fixture.application.client.connection?.export(interface, at: try ObjectPath("/app/profile"))
        try await fixture.application.register()
    }

    @Test("A handle of 0 is filled in, and others are kept") @ClientActor func handles() async throws {
        let fixture = try await ServingFixture()
        try fixture.application.addService(more: ["Handle": .uint16(0)])
        try fixture.application.addCharacteristic(["read", "notify"], more: ["Handle": .uint16(0)])
        try fixture.application.addDescriptor(
            "2901", at: "service0/char0/desc0", ["read"], more: ["Handle": .uint16(0)])
        try fixture.application.addService("180F", at: "service1", more: ["Handle": .uint16(256)])
        try await fixture.application.register()
        try await fixture.application.wait(forCall: "Set desc0")
        // The services of bluetoothd have the handles up to 0x0014, and the client configuration is 0x0018.
        #expect(
            fixture.application.calls.sorted() == [
                "Set char0 Handle=23", "Set desc0 Handle=25", "Set service0 Handle=21",
            ])
        try await fixture.connect()
        let services = await fixture.central.services
        #expect(services.map(\.handle) == [1, 8, 18, 21, 256])
        #expect(services[3].characteristics.map(\.handle) == [23])
        #expect(services[3].characteristics[0].descriptors == [24: 0x2902, 25: 0x2901])
    }

    @Test("A service includes those that come before it") @ClientActor func includes() async throws {
        let fixture = try await ServingFixture()
        try fixture.application.addService(isPrimary: false)
        let path = Value.objectPath(try ObjectPath("/app/service0"))
        try fixture.application.addService(
            "180F", at: "service1", more: ["Includes": .array(elements: "o", [path])])
        try await fixture.application.register()
        try await fixture.connect()
        let services = await fixture.central.services
        #expect(services.map(\.isPrimary) == [true, true, true, false, true])
        #expect(services[4].includes == [services[3].handle])
    }

    @Test("The adapter's UUIDs gain a service until it is unregistered, removed, or its program has left")
    @ClientActor func uuids() async throws {
        let fixture = try await ServingFixture()
        let observer = try await Client(fixture.bluez.address)
        let uuid = "0000180d-0000-1000-8000-00805f9b34fb"
        try fixture.application.addService()
        try await fixture.application.register()
        try await observer.wait(for: uuid)
        for end in 0..<3 {
            observer.forget()
            switch end {
            case 0: try await fixture.application.unregister()
            case 1: try fixture.application.remove("service0")
            default: fixture.application.client.close()
            }
            try await observer.wait(for: "UUIDs=")
            #expect(!observer.record.contains { $0.contains(uuid) })
            guard end < 2 else { return }
            observer.forget()
            if end == 1 {
                try await fixture.application.unregister()
                try fixture.application.addService()
            }
            try await fixture.application.register()
            try await observer.wait(for: uuid)
        }
    }

    @Test("Objects that are added after the registration are ignored") @ClientActor func late() async throws {
        let fixture = try await ServingFixture()
        try fixture.application.addService()
        try await fixture.application.register()
        try fixture.application.addService("180F", at: "service1")
        try fixture.application.client.connection?.emitInterfacesAdded(
            ["org.bluez.GattService1"], at: try ObjectPath("/app/service1"))
        try await fixture.connect()
        #expect(await fixture.central.services.map(\.uuid) == [0x1800, 0x1801, 0x180A, 0x180D])
    }
}
