import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// What a manager hears of failed attempts, names and scans.
@Suite struct CentralCallbackTests {
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
    @BluetoothActor private static func witness(on stage: TrapStage) async throws -> (Witness, () -> [String]) {
        let witness = Witness(bus: stage.world.bus)
        try await witness.waitUntilPoweredOn(timeout: Patience.timeout)
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
    func failedConnects() async throws {
        try await TrapStage.run { stage in
            let (central, events) = try await Self.witness(on: stage)
            let peripheral = try await central.firstPeripheral(timeout: Patience.timeout)
            central.log = []
            await stage.world.refuse("Connect", of: BlueZ.device, World.bluezError + "NotReady", "Resource Not Ready")
            peripheral.connect { _ in central.log.append("completion") }
            try await Patience.wait(for: "the failure") { central.log.count == 2 }
            #expect(central.log == ["completion", "World: adapterOff"])
            await stage.world.keepSilent("Connect", of: BlueZ.device)
            await stage.world.vanish()
            let attempt = Task { @BluetoothActor in try await peripheral.connect() }
            try await Patience.wait(for: "the attempt") { peripheral.state == .connecting }
            attempt.cancel()
            _ = await stage.failure { try await attempt.value }
            #expect(central.log.count == 2)
            #expect(events().contains("World: adapterOff"))
            #expect(!events().contains("World: cancelled"))
        }
    }

    @Test("Attempts to connect again are reported too")
    func reconnects() async throws {
        try await TrapStage.run { stage in
            let (central, _) = try await Self.witness(on: stage)
            let peripheral = try await central.firstPeripheral(timeout: Patience.timeout)
            try await peripheral.connect()
            central.log = []
            peripheral.reconnectPolicy = ReconnectPolicy(
                attempts: 2, firstDelay: .milliseconds(1),
                options: ConnectOptions(timeout: .milliseconds(50), retries: 0))
            await stage.world.vanish()
            try await Patience.wait(for: "both failures") { central.log.count == 2 }
            #expect(Set(central.log) == ["World: connectionTimedOut"])
        }
    }

    @Test("A new name is reported once, to the peripheral and the manager")
    func names() async throws {
        try await TrapStage.run { stage in
            let (central, events) = try await Self.witness(on: stage)
            let peripheral = try await central.firstPeripheral(timeout: Patience.timeout)
            var names: [String?] = []
            peripheral.nameHandler = { names.append($0.name) }
            for _ in 0..<2 { try await stage.world.deviceChanged(["Name": .string("Kitchen")]) }
            try await stage.world.deviceChanged(["Name": .string("Cellar")])
            try await Patience.wait(for: "the names") { names.count >= 2 }
            try await central.barrier()
            #expect(names == ["Kitchen", "Cellar"])
            #expect(events().filter { $0.hasPrefix("name") } == ["name Kitchen", "name Cellar"])
        }
    }

    @Test("Scans are reported when the first begins and the last ends")
    func scans() async throws {
        try await TrapStage.run { stage in
            let (central, events) = try await Self.witness(on: stage)
            var ends = 0
            for _ in 0..<2 {
                central.scanForPeripherals(
                    found: { _, _, _ in },
                    completion: { _ in
                        ends += 1
                        central.log.append("completion")
                    })
            }
            try await Patience.wait(for: "the begin") { central.log == ["began"] }
            central.stopScan()
            try await Patience.wait(for: "the ends") { ends == 2 }
            #expect(central.log.filter { $0 != "completion" } == ["began", "ended well"])
            #expect(central.log.last == "completion")
            #expect(events() == ["began", "ended well"])
        }
    }

    @Test("A scan that is interrupted ends with the reason, and begins again if it resumes")
    func interrupted() async throws {
        try await TrapStage.run { stage in
            let (central, events) = try await Self.witness(on: stage)
            central.scanForPeripherals(options: ScanOptions(resumes: true), found: { _, _, _ in }, completion: { _ in })
            try await Patience.wait(for: "the begin") { central.log.count == 1 }
            try await stage.central.setPowered(false)
            try await Patience.wait(for: "the end") { central.log.count == 2 }
            try await stage.central.setPowered(true)
            try await Patience.wait(for: "the next begin") { central.log.count == 3 }
            #expect(central.log == ["began", "ended adapterOff", "began"])
            #expect(events() == central.log)
            central.stopScan()
        }
    }

    @Test("A scan that never begins is not reported as one that ended")
    func refused() async throws {
        try await TrapStage.run { stage in
            let (central, events) = try await Self.witness(on: stage)
            await stage.world.refuse(
                "StartDiscovery", of: BlueZ.adapter, World.bluezError + "Failed", "No", times: 20)
            var errors: [BluetoothError?] = []
            central.scanForPeripherals(found: { _, _, _ in }, completion: { errors.append($0) })
            try await Patience.wait(for: "the end") { errors.count == 1 }
            #expect(errors.first??.code == .failed)
            #expect(central.log.isEmpty && events().isEmpty)
        }
    }

    @Test("Forgetting a connected device says that it was removed, not that its link was lost")
    func forgotten() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.connect()
            var errors: [BluetoothError?] = []
            peripheral.disconnectHandler = { errors.append($1) }
            try await stage.central.forgetPeripheral(peripheral)
            try await Patience.wait(for: "the end of the link") { errors.count == 1 }
            #expect(errors.first??.code == .peripheralGone)
            #expect(errors.first??.message.contains("World was removed") == true)
        }
    }
}
