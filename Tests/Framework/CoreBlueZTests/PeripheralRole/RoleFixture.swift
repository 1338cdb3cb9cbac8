import BlueZServer
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// A manager of a simulated bluetoothd, and a central in range.
@BluetoothActor final class RoleFixture {
    static let service: BluetoothUUID = "C0B10100-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    static let valueUUID: BluetoothUUID = "C0B10101-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    static let updatesUUID: BluetoothUUID = "C0B10102-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    let bluez: SimulatedBlueZ
    let central: SimulatedCentral
    let manager: PeripheralManager
    let value = LocalCharacteristic(
        RoleFixture.valueUUID, properties: [.read, .write], value: Data([1, 2, 3]),
        descriptors: [LocalDescriptor(0x2901, permissions: [.read, .write], value: Data("Value".utf8))])
    let updates = LocalCharacteristic(RoleFixture.updatesUUID, properties: [.read, .notify, .indicate])
    let service: LocalService

    init(_ version: BlueZVersion = .v5_66, adapters: [AdapterSpecification] = [AdapterSpecification()]) async throws {
        var configuration = SimulatedBlueZ.Configuration(adapters: adapters, timing: .instant)
        configuration.version = version
        bluez = try await SimulatorFixture.start(configuration)
        central = await bluez.addCentral()
        manager = PeripheralManager(bus: .address(bluez.address))
        service = LocalService(Self.service, characteristics: [value, updates])
    }

    static func run(
        _ version: BlueZVersion = .v5_66, _ body: @BluetoothActor (RoleFixture) async throws -> Void
    ) async throws {
        try await BluetoothActor.run { try await body(RoleFixture(version)) }
    }

    /// Publishes the service, and lets the central find it.
    func connect(mtu: UInt16 = 517) async throws {
        if !service.isPublished { try await manager.publish(service) }
        try await central.connect(maximumMTU: mtu)
        _ = try await central.discover()
    }

    func find(_ uuid: BluetoothUUID) async throws -> CentralCharacteristic {
        try #require(await central.characteristic(uuid))
    }

    func read(_ uuid: BluetoothUUID = RoleFixture.valueUUID) async throws -> Result<[UInt8], ATTError> {
        try await central.read(try await find(uuid).handle)
    }

    func write(
        _ bytes: [UInt8], to uuid: BluetoothUUID = RoleFixture.valueUUID
    ) async throws -> Result<[UInt8], ATTError> {
        try await central.write(bytes, to: try await find(uuid).handle)
    }

    func subscribe(_ configuration: UInt16 = 1) async throws {
        _ = try await central.configure(try await find(Self.updatesUUID), configuration).get()
    }

    func received() async -> [[UInt8]] { await central.updates.map(\.value) }

    func wait(for what: String, until condition: @BluetoothActor () async throws -> Bool) async throws {
        try await eventually(what, until: condition)
    }
}
