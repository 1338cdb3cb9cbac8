import BlueZDBus
import BlueZServer
import BlueZSimulator
import TestSupport
import Testing

/// The handles that an application requests, and those that bluetoothd chooses (src/shared/gatt-db.c). From 5.74 on,
/// a requested handle must be one of its service's.
@Suite("The handles of an application", .virtualTime) struct HandleTests {
    private static let versions: [BlueZVersion] = [.v5_55, .v5_66, .v5_82]
    private static let refused = "org.bluez.Error.Failed: Failed to create entry in database"

    private static func forAllVersions(_ body: @ClientActor (BlueZVersion) async throws -> Void) async throws {
        for version in versions { try await ClientActor.run { try await body(version) } }
    }

    /// Registers what `add` has added to the application, and returns the error; nil if there is none.
    @ClientActor private static func register(
        _ version: BlueZVersion, _ add: @ClientActor (Application) throws -> Void,
        then: @ClientActor (ServingFixture) async throws -> Void = { _ in }
    ) async throws -> String? {
        var configuration = SimulatedBlueZ.Configuration(timing: .instant)
        configuration.version = version
        let fixture = try await ServingFixture(configuration)
        try add(fixture.application)
        do {
            try await fixture.application.register()
        } catch {
            let manager = "GattManager1"
            return try await fixture.application.client.error(
                ProbeFixture.adapter, manager, "RegisterApplication", fixture.application.arguments)
        }
        try await then(fixture)
        return nil
    }

    @Test(
        "A service whose attributes go beyond 65535 is refused",
        arguments: [(65535, false, true), (65535, true, false), (65534, true, false), (65533, true, true)])
    func end(_ handle: UInt16, _ hasCharacteristic: Bool, _ isAccepted: Bool) async throws {
        try await Self.forAllVersions { version in
            let error = try await Self.register(version) { application in
                try application.addService(more: ["Handle": .uint16(handle)])
                if hasCharacteristic { try application.addCharacteristic(["read"]) }
            } then: { fixture in
                try await fixture.connect()
                #expect(await fixture.central.services.last?.handle == handle)
            }
            #expect(error == (isAccepted ? nil : Self.refused))
        }
    }

    @Test(
        "A characteristic gets the requested handle if its service has room there",
        arguments: [0, 1, 99, 100, 101, 102, 103, 65534, 65535] as [UInt16])
    func characteristic(_ handle: UInt16) async throws {
        try await Self.forAllVersions { version in
            let accepted: [UInt16] = version < .v5_82 ? [0, 101, 102, 103, 65534] : [0, 102]
            let error = try await Self.register(version) { application in
                try application.addService(more: ["Handle": .uint16(100)])
                try application.addCharacteristic(["read"], more: ["Handle": .uint16(handle)])
            } then: { fixture in
                try await fixture.connect()
                let found = await fixture.central.services.last?.characteristics.map(\.handle)
                #expect(found == (handle == 65534 ? [] : [handle == 0 ? 102 : handle]))
            }
            #expect(error == (accepted.contains(handle) ? nil : Self.refused))
        }
    }

    @Test(
        "A descriptor gets the requested handle if its service has room there",
        arguments: [0, 1, 99, 100, 103, 104, 65535] as [UInt16])
    func descriptor(_ handle: UInt16) async throws {
        try await Self.forAllVersions { version in
            let accepted: [UInt16] = version < .v5_82 ? [0, 103, 104, 65535] : [0, 103]
            let error = try await Self.register(version) { application in
                try application.addService(more: ["Handle": .uint16(100)])
                try application.addCharacteristic(["read"])
                try application.addDescriptor(
                    "2901", at: "service0/char0/desc0", ["read"], more: ["Handle": .uint16(handle)])
            } then: { fixture in
                try await fixture.connect()
                let found = await fixture.central.services.last?.characteristics.first?.descriptors
                #expect(found == (handle > 103 ? [:] : [103: 0x2901]))
            }
            #expect(error == (accepted.contains(handle) ? nil : Self.refused))
        }
    }

    @Test("Centrals find nothing behind an attribute with a handle beyond its service's, where the handles wrap around")
    func wrapped() async throws {
        try await Self.forAllVersions { version in
            let error = try await Self.register(version) { application in
                try application.addService(more: ["Handle": .uint16(100)])
                try application.addCharacteristic(["read"])
                try application.addDescriptor(
                    "2901", at: "service0/char0/desc0", ["read"], more: ["Handle": .uint16(65535)])
                try application.addCharacteristic(["read"], uuid: "2A38", at: "service0/char1")
            } then: { fixture in
                try await fixture.connect()
                #expect(await fixture.central.services.last?.characteristics.map(\.handle) == [102])
            }
            #expect(error == (version < .v5_82 ? nil : Self.refused))
        }
    }

    @Test(
        "After the last handle, only a service without characteristics is accepted, and no central finds it",
        arguments: [false, true])
    func exhausted(_ hasCharacteristic: Bool) async throws {
        try await Self.forAllVersions { version in
            let error = try await Self.register(version) { application in
                try application.addService(more: ["Handle": .uint16(65535)])
                try application.addService("180F", at: "service1", more: ["Handle": .uint16(0)])
                if hasCharacteristic { try application.addCharacteristic(["read"], at: "service1/char0") }
            } then: { fixture in
                try await fixture.application.wait(forCall: "Set service1 Handle=0")
                try await fixture.connect()
                #expect(await fixture.central.services.last?.handle == 65535)
                #expect(await !fixture.central.services.contains { $0.uuid == 0x180F })
            }
            #expect(error == (hasCharacteristic ? Self.refused : nil))
        }
    }

    @Test("Handles of services that are gone aren't used again")
    @ClientActor func goesOn() async throws {
        let fixture = try await ServingFixture()
        try fixture.application.addService(more: ["Handle": .uint16(65000)])
        try await fixture.application.register()
        try await fixture.application.unregister()
        try fixture.application.addService(more: ["Handle": .uint16(0)])
        try await fixture.application.register()
        try await fixture.application.wait(forCall: "Set service0 Handle=65001")
    }

    @Test(
        "A service is refused if its first or its last handle is taken, unless by an equal one",
        arguments: [
            ("180F", 199, false), ("180F", 200, false), ("180F", 202, false), ("180F", 203, true), ("180D", 200, true),
        ])
    func taken(_ uuid: String, _ handle: UInt16, _ isAccepted: Bool) async throws {
        try await Self.forAllVersions { version in
            let error = try await Self.register(version) { application in
                try application.addService(more: ["Handle": .uint16(200)])
                if uuid != "180D" { try application.addCharacteristic(["read"]) }
                try application.addService(uuid, at: "service1", more: ["Handle": .uint16(handle)])
                if handle == 199 { try application.addCharacteristic(["read"], at: "service1/char0") }
            }
            #expect(error == (isAccepted ? nil : Self.refused))
        }
    }

    @Test("A service with thousands of characteristics and descriptors is registered")
    @ClientActor func many() async throws {
        let count = 2000
        let error = try await Self.register(.v5_82) { application in
            try application.addService()
            for number in 0..<count {
                let name = "service0/char\(number + 1_000_000)"
                try application.addCharacteristic(["read"], at: name)
                try application.addDescriptor("2901", at: "\(name)/desc0", ["read"])
            }
        } then: { fixture in
            try await fixture.connect()
            let found = await fixture.central.services.last?.characteristics ?? []
            #expect(found.count == count && found.allSatisfy { $0.descriptors.count == 1 })
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.handle + 3 == $1.handle })
        }
        #expect(error == nil)
    }
}
