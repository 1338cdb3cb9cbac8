import TestSupport
import Testing

@testable import CoreBlueZ

/// The tests of the traps that BlueZ sets its clients. Each is named after a number in the column Tests of
/// Documentation/KnownProblems.md. One at a time: each starts a bus of its own, and all at once would wait for one
/// another.
@Suite(.serialized, .virtualTime) struct Traps {}

extension PeripheralFixture {
    /// Waits until bluetoothd scans for the manager, which has then reported what bluetoothd already hears.
    func waitUntilScanning() async throws {
        try await eventually("the scan") { central.scans.values.contains(where: \.isUnderWay) }
    }

    func connect() async throws -> Peripheral {
        let peripheral = try await find()
        try await peripheral.connect()
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        return peripheral
    }

    func value(of peripheral: Peripheral) throws -> Characteristic {
        try #require(peripheral[SimulatorFixture.service]?[SimulatorFixture.value])
    }

    func updates(of peripheral: Peripheral) throws -> Characteristic {
        try #require(peripheral[SimulatorFixture.service]?[SimulatorFixture.updates])
    }
}
