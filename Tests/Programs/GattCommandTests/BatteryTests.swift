import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

@testable import gatt

/// The battery level that bluetoothd reads itself.
@Suite struct BatteryTests {
    private static let level: BluetoothUUID = 0x2A19

    /// Runs a test with a connected device whose battery bluetoothd has read.
    private func withBattery(
        isExported: Bool, _ body: @BluetoothActor (PeripheralFixture) async throws -> Void
    ) async throws {
        var specification = SimulatorFixture.specification()
        specification.services.append(
            ServiceSpecification(
                0x180F, characteristics: [CharacteristicSpecification(Self.level, [.read], value: [81])]))
        var configuration = SimulatedBlueZ.Configuration(timing: .instant)
        configuration.exportsClaimedServices = isExported
        try await PeripheralFixture.run(SimulatorFixture(configuration, peripheral: specification)) { fixture in
            let peripheral = try await fixture.find()
            try await peripheral.connect()
            try await Patience.wait(for: "the battery level") { peripheral.batteryLevel == 81 }
            try await body(fixture)
        }
    }

    @BluetoothActor private func gatt(
        _ fixture: PeripheralFixture, _ arguments: String..., status: Int32 = 0
    ) async throws -> ProgramRun {
        let run = try ProgramRun(program: "gatt", arguments, environment: fixture.simulator.environment)
        #expect(try await run.status() == status, "\(arguments): \(run.errors)")
        return run
    }

    @Test("gatt info has the level, and gatt read says where it is if bluetoothd keeps the service for itself")
    func kept() async throws {
        try await withBattery(isExported: false) { fixture in
            #expect(try await gatt(fixture, "info", "Watch").output.contains("\nbattery\t81 %\n"))
            #expect(try await gatt(fixture, "info", "Watch", "--json").output.contains(#""batteryLevel":81,"#))
            for text in ["2A19", "battery level", "batt", "180F/2A19"] {
                let run = try await gatt(fixture, "read", "Watch", text, status: 66)
                #expect(
                    run.errors.contains(
                        "bluetoothd keeps the battery service of Watch for itself, and reports 81 %; see: gatt info Watch"
                    ))
            }
            let other = try await gatt(fixture, "read", "Watch", "2A6E", status: 66)
            #expect(other.errors.contains("Watch has no characteristic 2A6E"))
        }
    }

    @Test("If bluetoothd exports the battery service, gatt reads it")
    func exported() async throws {
        try await withBattery(isExported: true) { fixture in
            let read = try await gatt(fixture, "read", "Watch", "2A19", "-f", "u8")
            #expect(read.output == "81\n")
            let info = try await gatt(fixture, "info", "Watch")
            #expect(info.output.contains("\nbattery\t81 %\n"))
        }
    }
}
