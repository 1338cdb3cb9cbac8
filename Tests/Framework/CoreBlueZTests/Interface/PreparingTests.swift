import BlueZDBus
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// Connecting and discovering all in one call.
@Suite(.virtualTime) struct PreparingTests {
    @Test("Services, characteristics and descriptors are there when it has ended, by closure and awaited")
    @BluetoothActor func all() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        var results: [([Service]?, BluetoothError?)] = []
        peripheral.connectAndDiscover(timeout: .ample) { results.append(($0, $1)) }
        try await eventually("the end") { results.count == 1 }
        #expect(results.first?.1 == nil)
        #expect(peripheral.isConnected)
        let value = try fixture.value(of: peripheral)
        #expect(value.descriptors.map(\.uuid) == [0x2901])
        #expect(results.first?.0 == peripheral.services)
        let some = try await peripheral.connectAndDiscover(
            [SimulatorFixture.service], timeout: .ample)
        #expect(some.map(\.uuid) == [SimulatorFixture.service])
    }

    /// Counts how often it is bound, and knows whether the turn in which that happened is over.
    private final class Counted: Service {
        var bindings = 0
        var isTurnOver = false

        override func bind(to path: ObjectPath?) {
            super.bind(to: path)
            bindings += 1
            BluetoothActor.perform { self.isTurnOver = true }
        }
    }

    @Test("Everything is bound once and in one turn, after one question to bluetoothd")
    @BluetoothActor func once() async throws {
        let fixture = try await PeripheralFixture()
        let service = Counted(name: "service", uuid: SimulatorFixture.service)
        fixture.central.peripheralBuilder = { device in
            let peripheral = Peripheral(device)
            peripheral.addService(service)
            return peripheral
        }
        let peripheral = try await fixture.find()
        await fixture.simulator.keepCalls()
        var ends: [BluetoothError?] = []
        peripheral.connectAndDiscover(timeout: .ample) { _, error in
            ends.append(error)
            #expect(service.bindings == 1)
            #expect(!service.isTurnOver)
            #expect(service[SimulatorFixture.value]?.descriptors.count == 1)
        }
        try await eventually("the end") { ends == [nil] }
        #expect(service.bindings == 1)
        // `connect` asks for the link.
        let questions = await fixture.simulator.calls("Get").filter { $0.arguments.last != .string("Connected") }
        #expect(questions.count == 1)
    }

    @Test("The watchdog names the step that hung, and ends the link that was made", arguments: [false, true])
    @BluetoothActor func watchdog(hadLink: Bool) async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.perform { $0.peripheral.connectionFault = .stalledDiscovery }
        if hadLink { try await peripheral.connect() }
        let error = await fixture.failure {
            try await peripheral.connectAndDiscover(timeout: .milliseconds(500).stretched)
        }
        #expect(error?.code == .connectionTimedOut)
        #expect(error?.message.contains("still discovering its services") == true)
        #expect(peripheral.isConnected == hadLink)
        guard !hadLink else { return }
        await fixture.simulator.perform { $0.peripheral.connectionFault = nil }
        try await peripheral.connectAndDiscover(timeout: .ample)
        #expect(peripheral.isConnected)
    }

    @Test("A link that does not come up in time is taken back")
    @BluetoothActor func connecting() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.vanish()
        let error = await fixture.failure { try await peripheral.connectAndDiscover(timeout: .milliseconds(50)) }
        #expect(error?.code == .connectionTimedOut)
        #expect(error?.message.contains("still connecting") == true)
        try await eventually("the end of the attempt") { peripheral.link.state == .down }
    }

    @Test("The error of a step is the error of all, and a link that is lost ends it")
    @BluetoothActor func steps() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.refuse(
            "Connect", of: BlueZ.device, SimulatorFixture.bluezError + "NotReady", "Resource Not Ready")
        let refused = await fixture.failure { try await peripheral.connectAndDiscover(timeout: .ample) }
        #expect(refused?.code == .adapterOff)
        await fixture.simulator.perform { $0.peripheral.connectionFault = .stalledDiscovery }
        let attempt = Task { @BluetoothActor in try await peripheral.connectAndDiscover(timeout: .ample) }
        try await eventually("the link") { peripheral.state == .connected }
        await fixture.simulator.disconnect()
        #expect(await fixture.failure { try await attempt.value }?.code == .disconnected)
    }

    @Test("A task that is cancelled ends the step under way and the link")
    @BluetoothActor func cancelled() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.perform { $0.peripheral.connectionFault = .stalledDiscovery }
        let attempt = Task { @BluetoothActor in try await peripheral.connectAndDiscover(timeout: .ample) }
        try await eventually("the link") { peripheral.state == .connected }
        attempt.cancel()
        #expect(await fixture.failure { try await attempt.value }?.code == .cancelled)
        try await eventually("the end of the link") { !peripheral.isConnected }
        #expect(fixture.central.operations.count == 0)
    }
}
