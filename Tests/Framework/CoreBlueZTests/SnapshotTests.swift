import BlueZSimulator
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

@Suite("bluetoothd's objects are listed once in each of its lives", .virtualTime) struct SnapshotTests {
    @Test("Discovery asks for no list, and finds services that are announced after ServicesResolved")
    @BluetoothActor func discovery() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.perform { $0.peripheral.connectionFault = .earlyResolution }
        let tag = try await fixture.find()
        await fixture.simulator.refuse(
            "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager",
            "org.freedesktop.DBus.Error.AccessDenied", "No")
        try await tag.connect()
        #expect(try await tag.discoverServices().contains { $0.uuid == SimulatorFixture.service })
        #expect(tag.properties?.areServicesComplete == true)
        try await tag.disconnect()
        #expect(tag.properties?.areServicesComplete == false)
    }

    @Test("A list of what is known changes nothing: no services came, and nothing was heard")
    @BluetoothActor func same() async throws {
        let fixture = try await PeripheralFixture()
        let tag = try await fixture.connect()
        var changes: [String] = []
        tag.servicesChangedHandler = { _ in changes.append("services") }
        var hasBegun = false
        fixture.central.eventHandler = { event in
            if case .scanBegan = event { hasBegun = true } else { changes.append("\(event)") }
        }
        let options = ScanOptions(allowDuplicates: true)
        fixture.central.scanForPeripherals(options: options) { _, _, _ in
            changes.append("advertisement")
        } completion: { _ in
        }
        try await eventually("the scan") { hasBegun }
        try await fixture.central.barrier()
        let error = await withCheckedContinuation { continuation in
            fixture.central.client.refresh { continuation.resume(returning: $0) }
        }
        #expect(error == nil)
        try await fixture.central.barrier()
        #expect(changes.isEmpty)
    }
}
