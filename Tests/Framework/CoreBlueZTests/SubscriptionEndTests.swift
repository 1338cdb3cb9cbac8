import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// A subscription that fails leaves the others as they are, and whoever takes values gets their end.
@Suite(.virtualTime) struct SubscriptionEndTests {
    enum Failure: CaseIterable { case link, cancellation, time }

    @Test(
        "If the first of two subscriptions fails, the second subscribes by itself or fails too",
        arguments: Failure.allCases)
    @BluetoothActor func second(failure: Failure) async throws {
        let fixture = try await PeripheralFixture()
        let updates = try fixture.updates(of: try await fixture.connect())
        await fixture.simulator.keepCalls()
        await fixture.simulator.keepSilent("StartNotify", of: BlueZ.gattCharacteristic)
        if failure == .time { fixture.central.attributeTimeout = .seconds(1).stretched }
        let first = Task { @BluetoothActor in try await updates.setNotifyValue(true) }
        var values: [Data] = []
        var isSubscribed = false
        let second = Task { @BluetoothActor in
            let sequence = try await updates.notifications()
            isSubscribed = true
            for try await value in sequence { values.append(value) }
        }
        // With `time` the first one may have failed already: the actor runs both tasks in their order.
        if failure != .time {
            try await eventually("both") {
                await fixture.simulator.calls("StartNotify").count == 1 && updates.pendingSubscriptions == 2
            }
        }
        switch failure {
        case .link: await fixture.simulator.disconnect()
        case .cancellation: first.cancel()
        case .time: break
        }
        let code = await fixture.failure { try await first.value }?.code
        #expect(code == [.link: .disconnected, .cancellation: .cancelled, .time: .timedOut][failure])
        if failure == .link {
            #expect(await fixture.failure { try await second.value }?.code == .disconnected)
            #expect(await fixture.simulator.calls("StartNotify").count == 1)
        } else {
            try await eventually("the second subscription") { isSubscribed }
            #expect(await fixture.simulator.calls("StartNotify").count == 2)
            await fixture.simulator.notify([7])
            try await eventually("the value") { values == [Data([7])] }
            await fixture.simulator.disconnect()
            #expect(await fixture.failure { try await second.value }?.code == .disconnected)
        }
        #expect(!updates.isNotifying)
        #expect(updates.pendingSubscriptions == 0)
    }

    @Test("A subscription that fails does not take its closure away from the next one")
    @BluetoothActor func laterClosure() async throws {
        let fixture = try await PeripheralFixture()
        let updates = try fixture.updates(of: try await fixture.connect())
        await fixture.simulator.refuse(
            "StartNotify", of: BlueZ.gattCharacteristic, SimulatorFixture.bluezError + "Failed", "Not possible")
        var codes: [BluetoothError.Code?] = []
        var values: [String] = []
        updates.startNotifying { _, _ in
            values.append("first")
        } completion: {
            codes.append($0?.code)
        }
        updates.startNotifying { value, _ in
            if value != nil { values.append("second") }
        } completion: {
            codes.append($0?.code)
        }
        try await eventually("both") { codes.count == 2 }
        #expect(codes[0] != nil && codes[1] == nil)
        await fixture.simulator.notify([7])
        try await eventually("the value") { !values.isEmpty }
        #expect(values == ["second"])
    }

    enum End: CaseIterable { case unregistered, managerGone }

    @Test(
        "Sequences and handlers get the end if the peripheral is removed or the manager goes",
        arguments: End.allCases)
    @BluetoothActor func letGo(end: End) async throws {
        let simulator = try await SimulatorFixture()
        // Another manager keeps the connection: what this one gives back must be given back by calls.
        let other = try await PeripheralFixture.poweredOn(simulator)
        var fixture = Optional(PeripheralFixture(simulator, adapter: nil))
        try await fixture?.central.waitUntilPoweredOn(timeout: .seconds(20))
        let peripheral = try #require(try await fixture?.connect())
        let updates = try #require(try fixture?.updates(of: peripheral))
        var errors: [BluetoothError?] = []
        updates.service?.updateHandler = { _, error in errors.append(error) }
        let sequence = try await updates.notifications()
        await simulator.keepCalls()
        let consumer = Task { @BluetoothActor in
            for try await _ in sequence {}
        }
        switch end {
        case .unregistered: fixture?.central.removePeripheral(peripheral)
        case .managerGone: fixture = nil
        }
        #expect(
            await PeripheralFixture(simulator, adapter: nil).failure { try await consumer.value }?.code
                == .cancelled)
        #expect(errors.map { $0?.code } == [.cancelled])
        #expect(!updates.isNotifying)
        try await eventually("StopNotify") { await simulator.calls("StopNotify").count == 1 }
        #expect(other.state == .poweredOn)
    }

    @Test("A sequence that was asked for behind the end of notifications gets the values that follow")
    @BluetoothActor func behind() async throws {
        let fixture = try await PeripheralFixture()
        let updates = try fixture.updates(of: try await fixture.connect())
        try await updates.setNotifyValue(true)
        var ends: [BluetoothError?] = []
        updates.setNotifyValue(false) { ends.append($0) }
        var values = try await updates.notifications().makeAsyncIterator()
        #expect(ends == [nil])
        await fixture.simulator.notify([1])
        #expect(try await values.next() == Data([1]))
    }
}
