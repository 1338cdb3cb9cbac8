import BlueZSimulator
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// Links that end with what they were for.
@Suite struct ScopeTests {
    private struct Failure: Error {}

    @Test("A link that a scope made ends with it, and one that was there stays", arguments: [false, true])
    func scope(hadLink: Bool) async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.find()
            if hadLink { try await peripheral.connect() }
            let wasConnected = try await peripheral.withConnection { peripheral.isConnected }
            #expect(wasConnected)
            #expect(peripheral.isConnected == hadLink)
        }
    }

    @Test("An error leaves the scope after its link has ended")
    func error() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.find()
            await #expect(throws: Failure.self) { try await peripheral.withConnection { throw Failure() } }
            #expect(!peripheral.isConnected)
        }
    }

    @Test("A task that is cancelled in a scope ends its link too")
    func cancelled() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.find()
            let task = Task { @BluetoothActor in
                try await peripheral.withConnection { try await BluetoothActor.sleep(for: .seconds(3600)) }
            }
            try await Patience.wait(for: "the link") { peripheral.state == .connected }
            task.cancel()
            let error = await #expect(throws: BluetoothError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(!peripheral.isConnected)
        }
    }

    @Test("All links end at a time, and whoever has none is left alone")
    func all() async throws {
        try await TrapStage.run { stage in
            try await stage.world.perform { try $0.addStranger() }
            let names = ["World", "Stranger"]
            var peripherals: [Peripheral] = []
            for name in names {
                let peripheral = try await stage.central.firstPeripheral(timeout: Patience.timeout) { peripheral, _ in
                    peripheral.name == name
                }
                try await peripheral.connect()
                peripherals.append(peripheral)
            }
            await stage.world.keepCalls()
            await stage.world.succeedWithoutEffect("Disconnect", of: BlueZ.device, times: 2)
            var ends: [BluetoothError?] = []
            stage.central.disconnectAll { ends.append($0) }
            try await Patience.wait(for: "both calls") { await stage.world.calls("Disconnect").count == 2 }
            #expect(ends.isEmpty)
            await stage.world.disconnect()
            try await Patience.wait(for: "the end of one") { !peripherals[0].isConnected }
            try await stage.central.disconnectAll()
            try await Patience.wait(for: "the end") { ends.count == 1 }
            #expect(ends == [nil])
            #expect(peripherals.allSatisfy { !$0.isConnected })
            try await stage.central.disconnectAll()
            #expect(await stage.world.calls("Disconnect").count == 3)
        }
    }

    @Test("A peripheral that shall be connected from the first sight on is, as soon as it can be")
    func keeping() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.find()
            await stage.world.vanish()
            await stage.world.remove()
            try await Patience.wait(for: "its removal") { peripheral.properties == nil }
            var links = 0
            peripheral.reconnectHandler = { _, error in
                #expect(error == nil)
                links += 1
            }
            peripheral.keepConnected(ReconnectPolicy(firstDelay: .milliseconds(1)))
            #expect(peripheral.isReconnecting)
            try await Patience.wait(for: "the search") { stage.central.scans.values.contains { $0.target != nil } }
            await stage.world.peripheral.simulateReturn()
            try await Patience.wait(for: "the link") { links == 1 }
            #expect(peripheral.state == .connected)
            await stage.world.disconnect()
            try await Patience.wait(for: "the next link") { links == 2 }
            try await peripheral.disconnect()
            #expect(!peripheral.isReconnecting)
        }
    }
}
