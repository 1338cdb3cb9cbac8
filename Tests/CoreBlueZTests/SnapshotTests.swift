import BlueZSimulator
import Testing

@testable import CoreBlueZ

@Suite("Services are taken from the list of bluetoothd's objects") struct SnapshotTests {
    @Test("Services that were resolved when the objects were listed are discovered without another list")
    func complete() async throws {
        try await TrapStage.run { stage in
            let tag = try await stage.find()
            try await tag.connect()
            try await Patience.wait(for: "the services") { tag.properties?.areServicesResolved == true }
            let listed = await withCheckedContinuation { continuation in
                stage.central.client.refresh { continuation.resume(returning: $0 == nil) }
            }
            #expect(listed)
            await stage.world.refuse(
                "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager",
                "org.freedesktop.DBus.Error.AccessDenied", "No")
            #expect(try await tag.discoverServices().contains { $0.uuid == BluetoothUUID(World.service) })
        }
    }

    @Test("After the link was lost, the objects are listed again")
    func lost() async throws {
        try await TrapStage.run { stage in
            let tag = try await stage.connect()
            #expect(tag.properties?.areServicesComplete == true)
            try await tag.disconnect()
            #expect(tag.properties?.areServicesComplete == false)
        }
    }
}
