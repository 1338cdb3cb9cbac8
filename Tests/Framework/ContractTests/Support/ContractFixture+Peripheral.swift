import CoreBlueZ
import Foundation
import Testing

extension ContractFixture {
    /// Runs a test of the peripheral role, and leaves neither services nor advertisements nor a central behind.
    static func runPeripheral(
        _ body: @BluetoothActor (ContractFixture, PeripheralManager) async throws -> Void
    ) async throws {
        try await run { fixture in
            let manager = PeripheralManager(fixture.central)
            try await fixture.forgetCentral()
            let result: Result<Void, any Error>
            do { result = .success(try await body(fixture, manager)) } catch { result = .failure(error) }
            try? await fixture.disconnectCentral()
            for instance in manager.advertisements { await instance.stop() }
            await manager.unpublishAll()
            try? await fixture.forgetCentral()
            try result.get()
        }
    }

    /// BlueZ forgets the central, with its keys and subscriptions.
    func forgetCentral() async throws {
        guard let central = self.central.retrievePeripheral(withIdentifier: PeerCentral.address) else { return }
        do {
            try await self.central.forgetPeripheral(central)
        } catch let error where error.code == .peripheralGone {
            // bluetoothd has dropped it in the meantime.
        }
    }

    /// The characteristic of the tests.
    func value(
        _ properties: CharacteristicProperties, permissions: AttributePermissions = [],
        descriptors: [LocalDescriptor] = []
    ) -> LocalCharacteristic {
        LocalCharacteristic(
            PeerCentral.value, properties: properties, permissions: permissions, descriptors: descriptors)
    }

    /// Publishes a service with these characteristics, and advertises.
    @discardableResult
    func serve(_ characteristics: [LocalCharacteristic], by manager: PeripheralManager) async throws -> LocalService {
        let service = LocalService(PeerCentral.service, characteristics: characteristics)
        try await manager.publish(service)
        _ = try await manager.startAdvertising(LocalAdvertisement(localName: "Lab"))
        return service
    }
}
