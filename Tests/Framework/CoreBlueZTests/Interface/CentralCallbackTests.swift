import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// What a manager hears of failed attempts, names and scans.
@Suite(.virtualTime) struct CentralCallbackTests {
    final class Witness: CentralManager {
        var log: [String] = []

        override func didFailToConnect(_ peripheral: Peripheral, error: BluetoothError) {
            log.append("\(peripheral.displayName): \(error.code)")
        }
        override func didBeginScanning() { log.append("began") }
        override func didEndScanning(_ error: BluetoothError?) {
            log.append("ended \(error?.code.description ?? "well")")
        }
    }

    /// A manager whose hooks and events are noted, the events by themselves.
    @BluetoothActor private static func witness(on fixture: PeripheralFixture) async throws -> (Witness, () -> [String])
    {
        let witness = Witness(bus: fixture.simulator.bus)
        try await witness.waitUntilPoweredOn(timeout: .ample)
        var events: [String] = []
        witness.eventHandler = { event in
            switch event {
            case .failedToConnect(let peripheral, let error): events.append("\(peripheral.displayName): \(error.code)")
            case .nameChanged(let peripheral): events.append("name \(peripheral.displayName)")
            case .scanBegan: events.append("began")
            case .scanEnded(let error): events.append("ended \(error?.code.description ?? "well")")
            default: break
            }
        }
        return (witness, { events })
    }

    @Test("An attempt that fails is reported to the manager after its completion, one that was cancelled is not")
    @BluetoothActor func failedConnects() async throws {
        let fixture = try await PeripheralFixture()
        let (central, events) = try await Self.witness(on: fixture)
        let peripheral = try await central.firstPeripheral(timeout: .ample)
        central.log = []
        await fixture.simulator.refuse(
            "Connect", of: BlueZ.device, SimulatorFixture.bluezError + "NotReady", "Resource Not Ready")
        peripheral.connect { _ in central.log.append("completion") }
        try await eventually("the failure") { central.log.count == 2 }
        #expect(central.log == ["completion", "Watch: adapterOff"])
        await fixture.simulator.keepSilent("Connect", of: BlueZ.device)
        await fixture.simulator.vanish()
        let attempt = Task { @BluetoothActor in try await peripheral.connect() }
        try await eventually("the attempt") { peripheral.state == .connecting }
        attempt.cancel()
        _ = await fixture.failure { try await attempt.value }
        #expect(central.log.count == 2)
        #expect(events().contains("Watch: adapterOff"))
        #expect(!events().contains("Watch: cancelled"))
    }

    @Test("Attempts to connect again are reported too")
    @BluetoothActor func reconnects() async throws {
        let fixture = try await PeripheralFixture()
        let (central, _) = try await Self.witness(on: fixture)
        let peripheral = try await central.firstPeripheral(timeout: .ample)
        try await peripheral.connect()
        central.log = []
        peripheral.reconnectPolicy = ReconnectPolicy(
            attempts: 2, firstDelay: .milliseconds(1),
            options: ConnectOptions(timeout: .milliseconds(50), retries: 0))
        await fixture.simulator.vanish()
        try await eventually("both failures") { central.log.count == 2 }
        #expect(Set(central.log) == ["Watch: connectionTimedOut"])
    }

    @Test("A new name is reported once, to the peripheral and the manager")
    @BluetoothActor func names() async throws {
        let fixture = try await PeripheralFixture()
        let (central, events) = try await Self.witness(on: fixture)
        let peripheral = try await central.firstPeripheral(timeout: .ample)
        var names: [String?] = []
        peripheral.nameHandler = { names.append($0.name) }
        for _ in 0..<2 { try await fixture.simulator.deviceChanged(["Name": .string("Kitchen")]) }
        try await fixture.simulator.deviceChanged(["Name": .string("Cellar")])
        try await eventually("the names") { names.count >= 2 }
        try await central.barrier()
        #expect(names == ["Kitchen", "Cellar"])
        #expect(events().filter { $0.hasPrefix("name") } == ["name Kitchen", "name Cellar"])
    }

    @Test("Scans are reported when the first begins and the last ends")
    @BluetoothActor func scans() async throws {
        let fixture = try await PeripheralFixture()
        let (central, events) = try await Self.witness(on: fixture)
        var ends = 0
        for _ in 0..<2 {
            central.scanForPeripherals(
                found: { _, _, _ in },
                completion: { _ in
                    ends += 1
                    central.log.append("completion")
                })
        }
        try await eventually("the begin") { central.log == ["began"] }
        central.stopScan()
        try await eventually("the ends") { ends == 2 }
        #expect(central.log.filter { $0 != "completion" } == ["began", "ended well"])
        #expect(central.log.last == "completion")
        #expect(events() == ["began", "ended well"])
    }

    @Test("A scan that is interrupted ends with the reason, and begins again if it resumes")
    @BluetoothActor func interrupted() async throws {
        let fixture = try await PeripheralFixture()
        let (central, events) = try await Self.witness(on: fixture)
        central.scanForPeripherals(options: ScanOptions(resumes: true), found: { _, _, _ in }, completion: { _ in })
        try await eventually("the begin") { central.log.count == 1 }
        try await fixture.central.setPowered(false)
        try await eventually("the end") { central.log.count == 2 }
        try await fixture.central.setPowered(true)
        try await eventually("the next begin") { central.log.count == 3 }
        #expect(central.log == ["began", "ended adapterOff", "began"])
        #expect(events() == central.log)
        central.stopScan()
    }

    @Test("A scan that never begins is not reported as one that ended")
    @BluetoothActor func refused() async throws {
        let fixture = try await PeripheralFixture()
        let (central, events) = try await Self.witness(on: fixture)
        await fixture.simulator.refuse(
            "StartDiscovery", of: BlueZ.adapter, SimulatorFixture.bluezError + "Failed", "No", times: 20)
        var errors: [BluetoothError?] = []
        central.scanForPeripherals(found: { _, _, _ in }, completion: { errors.append($0) })
        try await eventually("the end") { errors.count == 1 }
        #expect(errors.first??.code == .failed)
        #expect(central.log.isEmpty && events().isEmpty)
    }

    @Test("Forgetting a connected device says that it was removed, not that its link was lost")
    @BluetoothActor func forgotten() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        var errors: [BluetoothError?] = []
        peripheral.disconnectHandler = { errors.append($1) }
        try await fixture.central.forgetPeripheral(peripheral)
        try await eventually("the end of the link") { errors.count == 1 }
        #expect(errors.first??.code == .peripheralGone)
        #expect(errors.first??.message.contains("Watch was removed") == true)
    }
}
