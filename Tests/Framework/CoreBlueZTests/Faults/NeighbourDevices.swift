import BlueZDBus
import BlueZServer
import BlueZSimulator
import CoreBlueZ
import TestSupport

/// A peripheral that two programs connect.
@SimulatorActor final class CentralNeighbours: Neighbours {
    nonisolated let bluez: SimulatedBlueZ
    nonisolated let path = "/org/bluez/hci0/dev_BC_6A_29_00_00_01"
    private let peripheral: SimulatedPeripheral

    init(_ version: BlueZVersion) async throws {
        var configuration = SimulatedBlueZ.Configuration(timing: .instant)
        configuration.version = version
        bluez = try await SimulatorFixture.start(configuration)
        peripheral = try bluez.add(SimulatorFixture.specification())
    }

    func reset() async throws {
        bluez.simulateDeviceRemoval(of: peripheral)
        peripheral.reset()
    }

    func deviceConnects() {}
    func deviceDisconnects() { peripheral.simulateDisconnection() }

    /// Lets bluetoothd find the peripheral.
    @BluetoothActor func use() async throws -> AnyObject? {
        let central = CentralManager(bus: bus)
        try await central.waitUntilPoweredOn(timeout: .ample)
        _ = try await central.firstPeripheral(timeout: .ample)
        return nil
    }
}

/// A central in range, which two programs connect too, while this one offers it a service.
@SimulatorActor final class RoleNeighbours: Neighbours {
    nonisolated let bluez: SimulatedBlueZ
    nonisolated let path = "/org/bluez/hci0/dev_F0_CA_FE_00_00_01"
    private let central: SimulatedCentral

    init(_ version: BlueZVersion) async throws {
        var configuration = SimulatedBlueZ.Configuration(timing: .instant)
        configuration.version = version
        bluez = try await SimulatorFixture.start(configuration)
        central = bluez.addCentral()
    }

    func reset() async throws { central.reset() }

    func deviceConnects() async throws { try await central.connect(timeout: .milliseconds(20)) }
    func deviceDisconnects() { central.disconnect() }

    /// Offers a service, and lets bluetoothd get to know the central.
    @BluetoothActor func use() async throws -> AnyObject? {
        let manager = PeripheralManager(bus: bus)
        let value = LocalCharacteristic("C0B10101-7A6B-4D5E-8F90-1A2B3C4D5E6F", properties: [.read, .notify])
        try await manager.publish(
            LocalService("C0B10100-7A6B-4D5E-8F90-1A2B3C4D5E6F", characteristics: [value]))
        try await central.connect()
        await central.disconnect()
        return manager
    }
}
