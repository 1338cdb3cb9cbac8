import BlueZSimulator
import DBus
import Foundation
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

extension Traps.Bus {
    @Test("Row 4: Every default is longer than bluetoothd's own limit, not libdbus' 25 s")
    func deadlines() {
        #expect(ConnectOptions().timeout >= .seconds(45))
        #expect(Timeouts.attribute >= .seconds(35))
        #expect(Timeouts().services > Timeouts.attribute)
    }

    @Test("Row 4: A connect that timed out is withdrawn, so that no link comes up later")
    func lateLink() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.find()
            await stage.world.vanish()
            await stage.world.keepCalls()
            let error = await stage.failure {
                try await peripheral.connect(options: ConnectOptions(timeout: .milliseconds(60), retries: 0))
            }
            #expect(error?.code == .connectionTimedOut)
            try await stage.central.barrier()
            #expect(await stage.world.calls("Disconnect").map(\.path) == [TrapStage.device])
            await stage.world.peripheral.simulateReturn()
            try await stage.central.barrier()
            #expect(await !stage.world.peripheral.isConnected)
            #expect(peripheral.state == .disconnected)
        }
    }

    @Test("Row 5: A read of an attribute that goes is never answered, and ends all the same")
    func goneAttribute() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.connect()
            let value = try stage.value(of: peripheral)
            await stage.world.delay(.seconds(25))
            var errors: [BluetoothError?] = []
            value.readValue { errors.append($1) }
            try await Patience.wait(for: "the read") { await stage.world.hasBeenRead }
            await stage.world.perform { world in
                if let service = world.peripheral[World.service] { world.peripheral.removeService(service) }
            }
            try await Patience.wait(for: "the end") { !errors.isEmpty }
            await stage.central.settle()
            #expect(errors.map { $0?.code } == [.attributeGone])
            #expect(peripheral.isConnected)
        }
    }

    @Test("Row 5: A Connect that is never answered succeeds by the link")
    func unansweredConnect() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.find()
            await stage.world.perform { $0.peripheral.connectionFault = .lostReply }
            try await peripheral.connect()
            #expect(peripheral.isConnected)
        }
    }

    @Test("Row 5: A ReadValue that is never answered ends at its own timeout")
    func unansweredRead() async throws {
        try await TrapStage.run { stage in
            let value = try stage.value(of: try await stage.connect())
            await stage.world.keepSilent("ReadValue", of: "org.bluez.GattCharacteristic1")
            stage.central.attributeTimeout = .milliseconds(40)
            #expect(await stage.failure { try await value.readValue() }?.code == .timedOut)
            stage.central.attributeTimeout = .seconds(20)
            #expect(try await value.readValue() == Data([1, 2, 3]))
        }
    }

    @Test("Row 5: A StartDiscovery that is never answered is taken back, and the next one starts")
    func unansweredStart() async throws {
        try await TrapStage.run { stage in
            stage.central.client.timeouts.discovery = .milliseconds(500)
            await stage.world.keepCalls()
            await stage.world.keepSilent("StartDiscovery", of: "org.bluez.Adapter1")
            #expect(
                await stage.failure { try await stage.central.scanForPeripherals { _, _, _ in } }?.code == .timedOut)
            stage.central.client.timeouts.discovery = .seconds(10)
            _ = try await stage.find()
            let members = await stage.world.members.filter { $0.hasSuffix("Discovery") }
            #expect(members.prefix(3) == ["StartDiscovery", "StopDiscovery", "StartDiscovery"])
        }
    }

    @Test("Row 6: Signals of unknown objects and with senseless bodies change nothing")
    func unknownObjects() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.connect()
            let devices = Set(stage.central.client.mirror.devices.keys)
            try await stage.world.perform { world in
                try world.propertiesChanged(
                    "/org/bluez/hci0/dev_FF_FF_FF_FF_FF_FF", "org.bluez.Device1", ["RSSI": .int16(-40)],
                    invalidated: ["TxPower", "Name"])
                try world.bluez.simulateMalformedSignals(about: TrapStage.device)
                try world.removed("/org/bluez/hci0/dev_FF_FF_FF_FF_FF_FE", ["org.bluez.Device1"])
            }
            try await stage.central.barrier()
            #expect(Set(stage.central.client.mirror.devices.keys) == devices)
            #expect(peripheral.isConnected)
            #expect(try await stage.value(of: peripheral).readValue() == Data([1, 2, 3]))
        }
    }

    @Test("Row 6: hci1 that goes takes nothing of hci10 with it")
    func prefixes() async throws {
        let adapters = (0...10).map { number in
            AdapterSpecification(address: "00:AA:01:00:00:\(number < 10 ? "0" : "")\(number)")
        }
        let world = try await World(.init(adapters: adapters, timing: .instant))
        try await BluetoothActor.run {
            let stage = TrapStage(world, adapter: "hci10")
            let peripheral = try await stage.connect()
            #expect(peripheral.path.string.hasPrefix("/org/bluez/hci10/"))
            await world.bluez.adapters[1].simulateUnplug()
            try await Patience.wait(for: "hci1 to go") { stage.central.client.mirror.adapters.count == 10 }
            #expect(peripheral.isConnected)
            #expect(try await stage.value(of: peripheral).readValue() == Data([1, 2, 3]))
        }
    }

    @Test("Row 6: A handful of wide match rules serves any number of peripherals")
    func rules() async throws {
        #expect(BlueZ.matchRules.count + 1 <= 8)
        try await TrapStage.run { stage in
            for number in 10..<60 {
                try await stage.world.added(
                    "/org/bluez/hci0/dev_00_00_00_00_00_\(number)",
                    ["org.bluez.Device1": ["Address": .string("00:00:00:00:00:\(number)")]])
            }
            try await Patience.wait(for: "the devices") { stage.central.client.mirror.devices.count >= 50 }
        }
    }

    /// A simulator on a bus that allows a connection this many match rules.
    private func withRules(_ count: Int, _ body: @BluetoothActor (TrapStage, World) async throws -> Void) async throws {
        var configuration = PrivateBus.Configuration()
        configuration.matchRules = count
        let bus = try await SimulatorActor.run { [configuration] in try PrivateBus(configuration: configuration) }
        let world = try await World(bus: bus.address)
        try await BluetoothActor.run { try await body(TrapStage(world), world) }
        withExtendedLifetime(bus) {}
    }

    @Test("Row 6: A bus that refuses a match rule makes nothing known, rather than something outdated")
    func refusedRule() async throws {
        try await withRules(3) { stage, _ in
            let error = await stage.failure { try await stage.central.waitUntilPoweredOn() }
            #expect(error?.code == .busUnavailable)
            #expect(error?.bluezName == "org.freedesktop.DBus.Error.LimitsExceeded")
            #expect(error?.message.contains("limit") == true)
            #expect(stage.central.adapters.isEmpty)
        }
    }

    @Test("Row 6: A bus that refuses the rule for values ends the subscription, which would wait forever")
    func refusedValueRule() async throws {
        try await withRules(BlueZ.matchRules.count) { stage, _ in
            let updates = try stage.updates(of: try await stage.connect())
            var errors: [BluetoothError?] = []
            updates.service?.updateHandler = { errors.append($1) }
            do { try await updates.setNotifyValue(true) } catch {}
            try await Patience.wait(for: "the end") { !errors.isEmpty }
            #expect(errors.map { $0?.bluezName } == ["org.freedesktop.DBus.Error.LimitsExceeded"])
            #expect(!updates.isNotifying)
            try await Patience.wait(for: "the end at the peripheral") { await !stage.world.isSubscribed }
        }
    }
}
