import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

extension Traps.Bus {
    @Test("Row 4: Every default is longer than bluetoothd's own limit, not libdbus' 25 s")
    func deadlines() {
        let bluetoothd = Timing()
        #expect(ConnectOptions().timeout > bluetoothd.connectTimeout)
        #expect(Timeouts.attribute > bluetoothd.attTransaction)
        #expect(Timeouts().services > bluetoothd.attTransaction)
    }

    @Test("Row 4: A connect that timed out is withdrawn, so that no link comes up later")
    @BluetoothActor func lateLink() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.vanish()
        await fixture.simulator.keepCalls()
        let error = await fixture.failure {
            try await peripheral.connect(options: ConnectOptions(timeout: .milliseconds(60), retries: 0))
        }
        #expect(error?.code == .connectionTimedOut)
        try await fixture.central.barrier()
        #expect(await fixture.simulator.calls("Disconnect").map(\.path) == [SimulatorFixture.device])
        await fixture.simulator.peripheral.simulateReturn()
        try await fixture.central.barrier()
        #expect(await !fixture.simulator.peripheral.isConnected)
        #expect(peripheral.state == .disconnected)
    }

    @Test("Row 5: A read of an attribute that goes is never answered, and ends all the same")
    @BluetoothActor func goneAttribute() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        let value = try fixture.value(of: peripheral)
        await fixture.simulator.delay(.seconds(25))
        var errors: [BluetoothError?] = []
        value.readValue { errors.append($1) }
        try await eventually("the read") { await fixture.simulator.hasBeenRead }
        await fixture.simulator.perform { simulator in
            if let service = simulator.peripheral[SimulatorFixture.service] {
                simulator.peripheral.removeService(service)
            }
        }
        try await eventually("the end") { !errors.isEmpty }
        await fixture.central.settle()
        #expect(errors.map { $0?.code } == [.attributeGone])
        #expect(peripheral.isConnected)
    }

    @Test("Row 5: A Connect that is never answered succeeds by the link")
    @BluetoothActor func unansweredConnect() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.perform { $0.peripheral.connectionFault = .lostReply }
        try await peripheral.connect()
        #expect(peripheral.isConnected)
    }

    @Test("Row 5: A ReadValue that is never answered ends at its own timeout")
    @BluetoothActor func unansweredRead() async throws {
        let fixture = try await PeripheralFixture()
        let value = try fixture.value(of: try await fixture.connect())
        await fixture.simulator.keepSilent("ReadValue", of: "org.bluez.GattCharacteristic1")
        fixture.central.attributeTimeout = .milliseconds(40)
        #expect(await fixture.failure { try await value.readValue() }?.code == .timedOut)
        fixture.central.attributeTimeout = .seconds(20)
        #expect(try await value.readValue() == Data([1, 2, 3]))
    }

    @Test("Row 5: A StartDiscovery that is never answered is taken back, and the next one starts")
    @BluetoothActor func unansweredStart() async throws {
        let fixture = try await PeripheralFixture()
        fixture.central.client.timeouts.discovery = .milliseconds(500).stretched
        await fixture.simulator.keepCalls()
        await fixture.simulator.keepSilent("StartDiscovery", of: "org.bluez.Adapter1")
        #expect(
            await fixture.failure { try await fixture.central.scanForPeripherals { _, _, _ in } }?.code == .timedOut
        )
        fixture.central.client.timeouts.discovery = .ample
        _ = try await fixture.find()
        let members = await fixture.simulator.members.filter { $0.hasSuffix("Discovery") }
        #expect(members.prefix(3) == ["StartDiscovery", "StopDiscovery", "StartDiscovery"])
    }

    @Test("Row 6: Signals of unknown objects and with senseless bodies change nothing")
    @BluetoothActor func unknownObjects() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        let devices = Set(fixture.central.client.mirror.devices.keys)
        try await fixture.simulator.perform { simulator in
            try simulator.propertiesChanged(
                "/org/bluez/hci0/dev_FF_FF_FF_FF_FF_FF", "org.bluez.Device1", ["RSSI": .int16(-40)],
                invalidated: ["TxPower", "Name"])
            try simulator.bluez.simulateMalformedSignals(about: SimulatorFixture.device)
            try simulator.removed("/org/bluez/hci0/dev_FF_FF_FF_FF_FF_FE", ["org.bluez.Device1"])
        }
        try await fixture.central.barrier()
        #expect(Set(fixture.central.client.mirror.devices.keys) == devices)
        #expect(peripheral.isConnected)
        #expect(try await fixture.value(of: peripheral).readValue() == Data([1, 2, 3]))
    }

    @Test("Row 6: hci1 that goes takes nothing of hci10 with it")
    @BluetoothActor func prefixes() async throws {
        let adapters = (0...10).map { number in
            AdapterSpecification(address: "00:AA:01:00:00:\(number < 10 ? "0" : "")\(number)")
        }
        let simulator = try await SimulatorFixture(.init(adapters: adapters, timing: .instant))
        let fixture = PeripheralFixture(simulator, adapter: "hci10")
        let peripheral = try await fixture.connect()
        #expect(peripheral.path.string.hasPrefix("/org/bluez/hci10/"))
        await simulator.bluez.adapters[1].simulateUnplug()
        try await eventually("hci1 to go") { fixture.central.client.mirror.adapters.count == 10 }
        #expect(peripheral.isConnected)
        #expect(try await fixture.value(of: peripheral).readValue() == Data([1, 2, 3]))
    }

    @Test("Row 6: A handful of wide match rules serves any number of peripherals")
    @BluetoothActor func rules() async throws {
        #expect(BlueZ.matchRules.count + 1 <= 8)
        let fixture = try await PeripheralFixture()
        for number in 10..<60 {
            try await fixture.simulator.added(
                "/org/bluez/hci0/dev_00_00_00_00_00_\(number)",
                ["org.bluez.Device1": ["Address": .string("00:00:00:00:00:\(number)")]])
        }
        try await eventually("the devices") { fixture.central.client.mirror.devices.count >= 50 }
    }

    /// A simulator on a bus that allows a connection this many match rules.
    private func withRules(
        _ count: Int, _ body: @BluetoothActor (PeripheralFixture, SimulatorFixture) async throws -> Void
    ) async throws {
        let simulator = try await SimulatorFixture(matchRules: count)
        try await BluetoothActor.run { try await body(PeripheralFixture(simulator, adapter: nil), simulator) }
    }

    @Test("Row 6: A bus that refuses a match rule makes nothing known, rather than something outdated")
    func refusedRule() async throws {
        try await withRules(3) { fixture, _ in
            let error = await fixture.failure { try await fixture.central.waitUntilPoweredOn() }
            #expect(error?.code == .busUnavailable)
            #expect(error?.bluezName == "org.freedesktop.DBus.Error.LimitsExceeded")
            #expect(error?.message.contains("limit") == true)
            #expect(fixture.central.adapters.isEmpty)
        }
    }

    @Test("Row 6: A bus that refuses the rule for values ends the subscription, which would wait forever")
    func refusedValueRule() async throws {
        try await withRules(BlueZ.matchRules.count) { fixture, _ in
            let updates = try fixture.updates(of: try await fixture.connect())
            var errors: [BluetoothError?] = []
            updates.service?.updateHandler = { errors.append($1) }
            do { try await updates.setNotifyValue(true) } catch {}
            try await eventually("the end") { !errors.isEmpty }
            #expect(errors.map { $0?.bluezName } == ["org.freedesktop.DBus.Error.LimitsExceeded"])
            #expect(!updates.isNotifying)
            try await eventually("the end at the peripheral") { await !fixture.simulator.isSubscribed }
        }
    }
}
