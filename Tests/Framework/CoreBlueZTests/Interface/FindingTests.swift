import BlueZSimulator
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// The first peripheral that fits, by a closure and by its class.
@Suite(.virtualTime) struct FindingTests {
    private final class Known: Peripheral {}

    @Test("The first peripheral comes to the closure once, and the scan has ended")
    @BluetoothActor func closure() async throws {
        let fixture = try await PeripheralFixture()
        var results: [(Peripheral?, BluetoothError?)] = []
        fixture.central.firstPeripheral(timeout: .ample) { results.append(($0, $1)) }
        try await eventually("the peripheral") { !results.isEmpty }
        for _ in 0..<3 { try await fixture.central.barrier() }
        #expect(results.map { $0.0?.name } == ["Watch"])
        #expect(results.allSatisfy { $0.1 == nil })
        #expect(!fixture.central.isScanning)
    }

    @Test("Only a peripheral of the class fits")
    @BluetoothActor func kinds() async throws {
        let fixture = try await PeripheralFixture()
        try await fixture.simulator.perform { try $0.add("Stranger", "BC:6A:29:00:00:02") }
        fixture.central.peripheralBuilder = { $0.name == "Watch" ? Known($0) : Peripheral($0) }
        let known: Known = try await fixture.central.firstPeripheral(as: Known.self, timeout: .ample)
        #expect(known.name == "Watch")
        var found: Known?
        fixture.central.firstPeripheral(as: Known.self, timeout: .ample) { peripheral, _ in
            found = peripheral
        }
        try await eventually("the peripheral") { found != nil }
        #expect(found === known)
    }

    @Test("Nobody who fits is an error after the time")
    @BluetoothActor func nobody() async throws {
        let fixture = try await PeripheralFixture()
        var results: [(Known?, BluetoothError?)] = []
        fixture.central.firstPeripheral(as: Known.self, timeout: .milliseconds(20)) { results.append(($0, $1)) }
        try await eventually("the end") { !results.isEmpty }
        #expect(results.map { $0.1?.code } == [.timedOut])
        #expect(results.allSatisfy { $0.0 == nil })
    }

    @Test("Scanning that fails is the error of the search")
    @BluetoothActor func failure() async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.keepCalls()
        await fixture.simulator.refuse(
            "StartDiscovery", of: BlueZ.adapter, SimulatorFixture.bluezError + "Failed", "No", times: 20)
        let error = await fixture.failure {
            try await fixture.central.firstPeripheral(as: Peripheral.self, timeout: .ample)
        }
        #expect(error?.code == .failed)
    }
}
