import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// The peripheral of the contract, by the UUIDs of its attributes.
enum Probe {
    static let base: BluetoothUUID = "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    static let address = BluetoothAddress("BC:6A:29:AB:AB:51")!
    static let service = base
    static let echo = base.replacingShort(with: 0x0001)
    static let long = base.replacingShort(with: 0x0002)
    static let updates = base.replacingShort(with: 0x0003)
    static let confirmations = base.replacingShort(with: 0x0004)
    static let sink = base.replacingShort(with: 0x0005)
    static let commands = base.replacingShort(with: 0x0006)
    static let readsOnly = base.replacingShort(with: 0x0007)
    static let descriptor = base.replacingShort(with: 0x0008)
    static let twin = base.replacingShort(with: 0x0010)
    static let twinValue = base.replacingShort(with: 0x0011)
    static let extended = base.replacingShort(with: 0x0030)
    static let reliable = base.replacingShort(with: 0x0031)
}

/// What every test stands on: peers as at the beginning, and a central manager of its own.
@BluetoothActor final class ContractFixture {
    let side: Side
    let central: CentralManager

    private init(_ side: Side) {
        self.side = side
        central = CentralManager(bus: side.bus)
    }

    /// Runs a test on a fresh fixture and leaves no link behind.
    static func run(_ body: @BluetoothActor (ContractFixture) async throws -> Void) async throws {
        guard !ReplayedSide.isWanted else { return try await ReplayedSide.runTwice { try await run(on: $0, body) } }
        try await run(on: try await Side.current.value, body)
    }

    private static func run(
        on side: Side, _ body: @BluetoothActor (ContractFixture) async throws -> Void
    ) async throws {
        try await BluetoothActor.run {
            let fixture = ContractFixture(side)
            try await fixture.central.waitUntilPoweredOn(timeout: fixture.seconds(10))
            try await fixture.forgetProbe()
            try await side.control.ask("reset")
            let result: Result<Void, any Error>
            do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
            try? await fixture.central.unregisterPairingAgent()
            try? await side.harness?.endLinks()
            try? await fixture.forgetProbe()
            for peripheral in fixture.central.peripherals where peripheral.isConnected {
                try? await peripheral.disconnect()
            }
            try result.get()
        }
    }

    /// A timeout in this side's time, on a machine as slow as this one is now.
    func seconds(_ seconds: Double) -> Duration { .seconds(seconds * side.timeScale).stretched }

    func ask(_ verb: String, _ arguments: [String: any Sendable] = [:]) async throws -> [String: any Sendable] {
        var arguments = arguments
        if arguments["peer"] == nil { arguments["peer"] = "probe" }
        return try await side.control.ask(verb, arguments)
    }

    /// The probe, found by scanning.
    func findProbe() async throws -> Peripheral {
        try await central.firstPeripheral(timeout: seconds(20)) { peripheral, _ in peripheral.address == Probe.address
        }
    }

    /// The probe, connected, its services and characteristics discovered.
    func connectProbe() async throws -> Peripheral {
        let peripheral = try await findProbe()
        try await peripheral.connect()
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        return peripheral
    }

    /// A characteristic of the connected probe.
    func characteristic(_ uuid: BluetoothUUID, of peripheral: Peripheral) throws -> Characteristic {
        try #require(peripheral[Probe.service]?[uuid])
    }

    /// Waits until the condition holds.
    func wait(
        for what: String,
        within limit: Double = 10,
        until condition: @BluetoothActor () async throws -> Bool
    ) async throws {
        try await eventually(what, within: .seconds(limit * side.timeScale), until: condition)
    }

    /// What the peer has seen, as "op char value" lines.
    func log() async throws -> [(operation: String, characteristic: String, value: String)] {
        let entries = try await ask("log")["entries"] as? [[String: any Sendable]] ?? []
        return entries.map { entry in
            (
                entry["op"] as? String ?? "",
                (entry["char"] as? String ?? "").uppercased(),
                entry["value"] as? String ?? ""
            )
        }
    }
}

/// Takes what must happen once. A second time is a failure whenever it comes.
@BluetoothActor final class Once<Value> {
    private(set) var values: [Value] = []

    func callAsFunction(_ value: Value) {
        values.append(value)
        if values.count > 1 { Issue.record("What must happen once happened again: \(values)") }
    }

    var isCalled: Bool { !values.isEmpty }

    /// The only value; a failure if there are more or none.
    func only() throws -> Value {
        try #require(values.count == 1)
        return values[0]
    }
}
