import BlueZObservation
import BlueZSimulator
import CoreBlueZ
import Observation
import TestSupport
import Testing

/// The models of the main actor, on the simulator.
@Suite struct ModelTests {
    /// A simulated thermometer and a manager of its bus.
    @MainActor private final class ThermometerFixture {
        let simulator: SimulatorFixture
        let central: CentralModel
        var thermometer: SimulatedPeripheral { simulator.peripheral }

        init() async throws {
            let specification = PeripheralSpecification(
                name: "Thermometer", address: "BC:6A:29:00:00:07",
                advertisingInterval: .milliseconds(2),
                services: [
                    ServiceSpecification(
                        0x1809, characteristics: [CharacteristicSpecification(0x2A1C, [.read, .notify], value: [20])])
                ])
            simulator = try await SimulatorFixture(peripheral: specification)
            central = CentralModel { [bus = simulator.bus] in CentralManager(bus: bus) }
        }

        func find() async throws -> PeripheralModel {
            central.startScan()
            try await Patience.wait(for: "the thermometer") { central.peripherals.count == 1 }
            central.stopScan()
            try await Patience.wait(for: "the end of the scan") { !central.isScanning }
            return try #require(central.peripherals.first)
        }
    }

    @Test("A manager's model has its state and what was found, on the main actor")
    @MainActor func central() async throws {
        let fixture = try await ThermometerFixture()
        try await Patience.wait(for: "the state") { fixture.central.state == .poweredOn }
        let model = try await fixture.find()
        try await Patience.wait(for: "its name") { model.name == "Thermometer" }
        #expect(model.displayName == "Thermometer")
        #expect(model.address == BluetoothAddress("BC:6A:29:00:00:07"))
        #expect(fixture.central.error == nil)
        fixture.central.perform { $0.setPowered(false) { _ in } }
        try await Patience.wait(for: "the loss of power") { fixture.central.state == .poweredOff }
        #expect(fixture.central.error?.code == .adapterOff)
        fixture.central.startScan()
        try await Patience.wait(for: "the refusal") { !fixture.central.isScanning }
        #expect(fixture.central.error?.code == .adapterOff)
    }

    @Test("A peripheral's model follows its link and services, and whoever observes is told")
    @MainActor func peripheral() async throws {
        let fixture = try await ThermometerFixture()
        let model = try await fixture.find()
        var changes = 0
        withObservationTracking {
            _ = model.state
        } onChange: {
            MainActor.assumeIsolated { changes += 1 }
        }
        model.connect(timeout: Patience.timeout)
        try await Patience.wait(for: "the services") { model.isConnected && model.services == [0x1801, 0x1809] }
        #expect(changes == 1)
        #expect(model.error == nil)
        await fixture.thermometer.simulateDisconnection()
        try await Patience.wait(for: "the loss") { model.state == .disconnected }
        model.keepConnected(ReconnectPolicy(firstDelay: .milliseconds(1)))
        try await Patience.wait(for: "the next link") { model.isConnected }
        model.disconnect()
        try await Patience.wait(for: "the end") { model.state == .disconnected && !model.isReconnecting }
        await fixture.thermometer.simulateRangeLoss()
        model.connect(timeout: .milliseconds(50))
        try await Patience.wait(for: "the failure") { model.error?.code == .connectionTimedOut }
    }

    @Test("A model that is let go of is released, and nothing follows the peripheral")
    @MainActor func released() async throws {
        let fixture = try await ThermometerFixture()
        var model: PeripheralModel? = try await fixture.find()
        let peripheral = try #require(model?.peripheral)
        model = nil
        let copy = PeripheralModel(peripheral)
        weak let weakCopy = copy
        _ = consume copy
        #expect(weakCopy == nil)
    }
}
