import BlueZSimulator
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// Links that end with what they were for.
@Suite(.virtualTime) struct ScopeTests {
    private struct Failure: Error {}

    @Test("A link that a scope made ends with it, and one that was there stays", arguments: [false, true])
    @BluetoothActor func scope(hadLink: Bool) async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        if hadLink { try await peripheral.connect() }
        let wasConnected = try await peripheral.withConnection { peripheral.isConnected }
        #expect(wasConnected)
        #expect(peripheral.isConnected == hadLink)
    }

    @Test("An error leaves the scope after its link has ended")
    @BluetoothActor func error() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await #expect(throws: Failure.self) { try await peripheral.withConnection { throw Failure() } }
        #expect(!peripheral.isConnected)
    }

    @Test("A task that is cancelled in a scope ends its link too")
    @BluetoothActor func cancelled() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        let task = Task { @BluetoothActor in
            try await peripheral.withConnection { try await BluetoothActor.sleep(for: .seconds(3600)) }
        }
        try await eventually("the link") { peripheral.state == .connected }
        task.cancel()
        let error = await #expect(throws: BluetoothError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(!peripheral.isConnected)
    }

    @Test("All links end at a time, and whoever has none is left alone")
    @BluetoothActor func all() async throws {
        let fixture = try await PeripheralFixture()
        try await fixture.simulator.perform { try $0.add("Stranger", "BC:6A:29:00:00:02") }
        let names = ["Watch", "Stranger"]
        var peripherals: [Peripheral] = []
        for name in names {
            let peripheral = try await fixture.central.firstPeripheral(timeout: .ample) { peripheral, _ in
                peripheral.name == name
            }
            try await peripheral.connect()
            peripherals.append(peripheral)
        }
        await fixture.simulator.keepCalls()
        await fixture.simulator.succeedWithoutEffect("Disconnect", of: BlueZ.device, times: 2)
        var ends: [BluetoothError?] = []
        fixture.central.disconnectAll { ends.append($0) }
        try await eventually("both calls") { await fixture.simulator.calls("Disconnect").count == 2 }
        #expect(ends.isEmpty)
        await fixture.simulator.disconnect()
        try await eventually("the end of one") { !peripherals[0].isConnected }
        try await fixture.central.disconnectAll()
        try await eventually("the end") { ends.count == 1 }
        #expect(ends == [nil])
        #expect(peripherals.allSatisfy { !$0.isConnected })
        try await fixture.central.disconnectAll()
        #expect(await fixture.simulator.calls("Disconnect").count == 3)
    }

    @Test("A peripheral that shall be connected from the first sight on is, as soon as it can be")
    @BluetoothActor func keeping() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.vanish()
        await fixture.simulator.remove()
        try await eventually("its removal") { peripheral.properties == nil }
        var links = 0
        peripheral.reconnectHandler = { _, error in
            #expect(error == nil)
            links += 1
        }
        peripheral.keepConnected(ReconnectPolicy(firstDelay: .milliseconds(1)))
        #expect(peripheral.isReconnecting)
        try await eventually("the search") { fixture.central.scans.values.contains { $0.target != nil } }
        await fixture.simulator.peripheral.simulateReturn()
        try await eventually("the link") { links == 1 }
        #expect(peripheral.state == .connected)
        await fixture.simulator.disconnect()
        try await eventually("the next link") { links == 2 }
        try await peripheral.disconnect()
        #expect(!peripheral.isReconnecting)
    }
}
