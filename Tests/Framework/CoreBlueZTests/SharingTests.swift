import BlueZDBus
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

@Suite(.virtualTime) struct SharingTests {
    @Test("Two managers of a process are one connection on the bus and one mirror, and the last one closes it")
    @BluetoothActor func oneConnection() async throws {
        let simulator = try await SimulatorFixture()
        await simulator.keepCalls()
        var name: String?
        do {
            let first = CentralManager(bus: simulator.bus)
            let second = CentralManager(bus: simulator.bus)
            try await first.waitUntilPoweredOn(timeout: .ample)
            async let one = first.firstPeripheral(timeout: .ample)
            async let two = second.firstPeripheral(timeout: .ample)
            let (mine, other) = try await (one, two)
            #expect(mine !== other)
            #expect(mine.address == other.address)
            #expect(first.client === second.client)
            #expect(first.client.mirror === second.client.mirror)
            // The simulator's and ours.
            #expect(try await uniqueNames(first.client).count == 2)
            name = first.client.connection?.uniqueName
        }
        let senders = await Set(simulator.bluez.calls.map(\.sender))
        #expect(senders == [name])
        // Another address of the same bus is another client, for lack of knowing better.
        let address = simulator.bus.description
        let observer = CentralManager(bus: .address("\(address);\(address)"))
        try await observer.waitUntilPoweredOn(timeout: .ample)
        try await eventually("the end of the shared connection") {
            let names = try await uniqueNames(observer.client)
            return names.count == 2 && !names.contains(name ?? "")
        }
    }

    @Test("A manager that goes leaves the other its scan and its subscription")
    @BluetoothActor func leaving() async throws {
        let simulator = try await SimulatorFixture()
        let fixture = PeripheralFixture(simulator, adapter: nil)
        let central = fixture.central
        let peripheral = try await fixture.connect()
        let updates = try fixture.updates(of: peripheral)
        var values: [Data?] = []
        updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.value) }
        try await updates.setNotifyValue(true)
        central.scanForPeripherals(found: { _, _, _ in }, completion: { _ in })
        await simulator.keepCalls()
        do {
            let other = CentralManager(bus: simulator.bus)
            other.disconnectsAtEnd = true
            let twin = try #require(other.retrieveKnownPeripherals().first)
            for service in try await twin.discoverServices() { try await service.discoverCharacteristics() }
            try await fixture.updates(of: twin).setNotifyValue(true)
            other.scanForPeripherals(found: { _, _, _ in }, completion: { _ in })
        }
        try await central.barrier()
        #expect(
            await simulator.members.filter { ["StopDiscovery", "StopNotify", "Disconnect"].contains($0) } == [])
        await simulator.notify([4])
        try await eventually("the value") { values == [Data([4])] }
        #expect(central.isScanning && peripheral.isConnected)
    }

    @Test("An attempt that one manager cancels leaves that of the other", arguments: [false, true])
    @BluetoothActor func twoAttempts(isFirstCancelled: Bool) async throws {
        let simulator = try await SimulatorFixture()
        let fixture = PeripheralFixture(simulator, adapter: nil)
        let first = try await fixture.find()
        let other = CentralManager(bus: simulator.bus)
        try await other.waitUntilPoweredOn(timeout: .ample)
        let second = try #require(other.retrieveKnownPeripherals().first)
        await simulator.perform { $0.peripheral.simulateRangeLoss() }
        await simulator.keepCalls()
        var results: [String: BluetoothError.Code?] = [:]
        first.connect { results["first"] = .some($0?.code) }
        try await eventually("the first attempt") { await simulator.members.contains("Connect") }
        second.connect { results["second"] = .some($0?.code) }
        try await eventually("the second attempt") { second.state == .connecting }
        let (cancelled, kept) = isFirstCancelled ? (first, second) : (second, first)
        try await cancelled.disconnectOwnLink()
        try await fixture.central.barrier()
        #expect(await !simulator.members.contains("Disconnect"))
        await simulator.perform { $0.peripheral.simulateReturn() }
        try await eventually("the link") { results.count == 2 }
        #expect(results[isFirstCancelled ? "first" : "second"] == .some(.cancelled))
        #expect(results[isFirstCancelled ? "second" : "first"] == .some(nil))
        #expect(kept.state == .connected && kept.hasOwnLink && !cancelled.hasOwnLink)
        try await kept.disconnectOwnLink()
        #expect(!kept.isConnected)
    }

    /// The unique names that the bus knows.
    @BluetoothActor private func uniqueNames(_ client: BlueZClient) async throws -> [String] {
        let connection = try #require(client.connection)
        let message = try Message.methodCall(
            to: BlueZ.bus, path: try ObjectPath("/org/freedesktop/DBus"), interface: BlueZ.bus, member: "ListNames")
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<[String]?, Never>) in
            connection.call(message, timeout: .ample) { result in
                var reader = (try? result.get())?.reader
                continuation.resume(returning: try? reader?.readStrings())
            }
        }
        return try #require(result).filter { $0.hasPrefix(":") }
    }
}
