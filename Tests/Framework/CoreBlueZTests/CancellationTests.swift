import BlueZDBus
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// A task that is cancelled ends its operation, in bluetoothd too where bluetoothd can end it.
@Suite(.serialized, .virtualTime) struct CancellationTests {
    private static let characteristic = "org.bluez.GattCharacteristic1"

    /// Begins `body` in a task, waits for a call of `member`, cancels, and expects the error and the calls that follow.
    @BluetoothActor private func cancel(
        _ fixture: PeripheralFixture, after member: String, _ body: @escaping @BluetoothActor () async throws -> Void
    ) async throws {
        await fixture.simulator.perform { $0.bluez.keepsCalls = true }
        let task = Task { @BluetoothActor in try await body() }
        try await eventually("\(member)") { await !fixture.simulator.calls(member).isEmpty }
        task.cancel()
        #expect(await fixture.failure { try await task.value }?.code == .cancelled)
    }

    @BluetoothActor private func expect(_ member: String, _ fixture: PeripheralFixture) async throws {
        try await eventually("\(member)") { await fixture.simulator.calls(member).count == 1 }
    }

    @Test("A cancelled connect is taken back by Disconnect, and no link comes up later")
    @BluetoothActor func connecting() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.vanish()
        try await cancel(fixture, after: "Connect") { try await peripheral.connect() }
        try await expect("Disconnect", fixture)
        await fixture.simulator.peripheral.simulateReturn()
        try await fixture.central.barrier()
        #expect(await !fixture.simulator.peripheral.isConnected)
        #expect(peripheral.state == .disconnected)
    }

    enum Way: CaseIterable { case scan, usualScan, first }

    @Test("A cancelled scan is ended by StopDiscovery", arguments: Way.allCases)
    @BluetoothActor func scanning(way: Way) async throws {
        let fixture = try await PeripheralFixture()
        let central = fixture.central
        try await cancel(fixture, after: "StartDiscovery") {
            switch way {
            case .scan: try await central.scanForPeripherals { _, _, _ in }
            case .usualScan: try await central.startScan()
            case .first: _ = try await central.firstPeripheral { _, _ in false }
            }
        }
        try await expect("StopDiscovery", fixture)
        #expect(!central.isScanning)
    }

    @Test("A scan that is stopped ends its async twins without an error")
    @BluetoothActor func stopped() async throws {
        let fixture = try await PeripheralFixture()
        let central = fixture.central
        let task = Task { @BluetoothActor in try await central.startScan() }
        try await eventually("the scan") { central.isScanning }
        central.stopScan()
        try await task.value
    }

    @Test("A cancelled subscription is taken back by StopNotify")
    @BluetoothActor func subscribing() async throws {
        let fixture = try await PeripheralFixture()
        let updates = try fixture.updates(of: try await fixture.connect())
        await fixture.simulator.keepSilent("StartNotify", of: Self.characteristic)
        try await cancel(fixture, after: "StartNotify") { try await updates.setNotifyValue(true) }
        try await expect("StopNotify", fixture)
        #expect(!updates.isNotifying)
    }

    enum End: CaseIterable { case cancelled, left, overflown }

    @Test("Notifications end with the last sequence of their values, however it ends", arguments: End.allCases)
    @BluetoothActor func consuming(end: End) async throws {
        let fixture = try await PeripheralFixture()
        let updates = try fixture.updates(of: try await fixture.connect())
        await fixture.simulator.keepCalls()
        let limit = end == .overflown ? 2 : 100
        let task = Task { @BluetoothActor in
            let values = try await updates.notifications(bufferingUpTo: limit)
            // A consumer that takes nothing yet.
            if end == .overflown { try await eventually("the end") { !updates.isNotifying } }
            for try await _ in values where end == .left { break }
        }
        try await eventually("the subscription") {
            await fixture.simulator.isSubscribed && updates.isNotifying
        }
        try await fixture.central.barrier()
        if end == .cancelled { task.cancel() }
        for number: UInt8 in 0..<4 where end != .cancelled { await fixture.simulator.notify([number]) }
        let result = await task.result
        if end == .overflown {
            #expect(throws: BluetoothError.self) { try result.get() }
        }
        try await expect("StopNotify", fixture)
        #expect(!updates.isNotifying)
    }

    @Test("Notifications that were asked for besides outlast the sequence, and so do those of another sequence")
    @BluetoothActor func shared() async throws {
        let fixture = try await PeripheralFixture()
        let updates = try fixture.updates(of: try await fixture.connect())
        await fixture.simulator.keepCalls()
        func take() async throws {
            async let first: Void = { @BluetoothActor in
                for try await _ in try await updates.notifications() { break }
            }()
            try await eventually("the subscription") { await fixture.simulator.isSubscribed }
            try await fixture.central.barrier()
            await fixture.simulator.notify([1])
            try await first
        }
        var other = try await updates.notifications().makeAsyncIterator()
        try await take()
        #expect(try await other.next() == Data([1]))
        #expect(updates.isNotifying)
        try await updates.setNotifyValue(true)
        try await take()
        #expect(updates.isNotifying)
        #expect(await fixture.simulator.calls("StopNotify").isEmpty)
        try await updates.setNotifyValue(false)
        _ = try await other.next()
        #expect(try await other.next() == nil)
    }

    @Test("Notifications that were acquired too late for a cancelled task are given back")
    @BluetoothActor func acquiring() async throws {
        let fixture = try await PeripheralFixture()
        let updates = try fixture.updates(of: try await fixture.connect())
        let delay = Duration.milliseconds(200).stretched
        await fixture.simulator.perform {
            $0.peripheral.characteristic(SimulatorFixture.updates)?.faults.delay = delay
        }
        try await cancel(fixture, after: "AcquireNotify") { _ = try await updates.acquireNotify() }
        await fixture.simulator.perform {
            $0.peripheral.characteristic(SimulatorFixture.updates)?.faults.delay = .zero
        }
        try await eventually("the end of the subscription") { await !fixture.simulator.isSubscribed }
        // What is free can be taken.
        try await updates.acquireNotify().close()
    }

    @Test("A cancelled read ends here; bluetoothd has nothing to take it back, and the next one works")
    @BluetoothActor func reading() async throws {
        let fixture = try await PeripheralFixture()
        let value = try fixture.value(of: try await fixture.connect())
        await fixture.simulator.delay(.seconds(2).stretched)
        try await cancel(fixture, after: "ReadValue") { _ = try await value.readValue() }
        await fixture.simulator.delay(.zero)
        #expect(try await value.readValue() == Data([1, 2, 3]))
    }

    @Test("A task that was cancelled still disconnects")
    @BluetoothActor func cleaningUp() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        let task = Task { @BluetoothActor in
            while !Task.isCancelled { await Task.yield() }
            try await peripheral.disconnect()
        }
        task.cancel()
        try await task.value
        #expect(!peripheral.isConnected)
    }

    @Test("What a task asks for after it was cancelled is never sent")
    @BluetoothActor func late() async throws {
        let fixture = try await PeripheralFixture()
        let value = try fixture.value(of: try await fixture.connect())
        await fixture.simulator.keepCalls()
        let task = Task { @BluetoothActor in
            while !Task.isCancelled { await Task.yield() }
            try await value.writeValue(Data([7]))
        }
        task.cancel()
        #expect(await fixture.failure { try await task.value }?.code == .cancelled)
        #expect(try await value.readValue() == Data([1, 2, 3]))
        #expect(await fixture.simulator.calls("WriteValue").isEmpty)
    }

    @Test("A wait for Bluetooth that is cancelled ends, and so does one for services")
    @BluetoothActor func waiting() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.powerOff()
        let central = fixture.central
        try await eventually("the power to be off") { central.state == .poweredOff }
        let task = Task { @BluetoothActor in try await central.waitUntilPoweredOn(timeout: .seconds(600)) }
        try await eventually("the wait") { central.operations.count == 1 }
        task.cancel()
        #expect(await fixture.failure { try await task.value }?.code == .cancelled)
        #expect(central.operations.count == 0)
    }
}
