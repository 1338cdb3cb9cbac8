import BlueZSimulator
import CoreBlueZ

/// What a local service is created from.
struct ServiceSnapshot: Sendable {
    let uuid: BluetoothUUID
    let isPrimary: Bool
    let characteristics: [CharacteristicSnapshot]

    @SimulatorActor init(_ service: SimulatedService) {
        uuid = service.uuid
        isPrimary = service.isPrimary
        characteristics = service.characteristics.map(CharacteristicSnapshot.init)
    }
}

/// What a local characteristic is created from.
struct CharacteristicSnapshot: Sendable {
    let original: SimulatedCharacteristic
    let specification: CharacteristicSpecification
    let descriptors: [(original: SimulatedDescriptor, specification: DescriptorSpecification)]

    /// bluetoothd adds these itself (src/gatt-database.c: database_add_ccc, database_add_cep).
    private static let reserved: Set<BluetoothUUID> = [.clientConfiguration, 0x2900]

    @SimulatorActor init(_ characteristic: SimulatedCharacteristic) {
        original = characteristic
        specification = characteristic.specification
        descriptors = characteristic.descriptors.filter { !Self.reserved.contains($0.uuid) }
            .map { ($0, $0.specification) }
    }
}

extension CharacteristicSpecification {
    /// Who may read and write. bluetoothd checks it.
    var permissions: AttributePermissions {
        guard needsEncryption || needsAuthentication else { return [] }
        var permissions: AttributePermissions = []
        if properties.contains(.read) { permissions.insert(needsAuthentication ? .readAuthenticated : .readEncrypted) }
        if !properties.isDisjoint(with: [.write, .writeWithoutResponse, .reliableWrite]) {
            permissions.insert(needsAuthentication ? .writeAuthenticated : .writeEncrypted)
        }
        return permissions
    }
}

extension DescriptorSpecification {
    var permissions: AttributePermissions {
        var permissions: AttributePermissions = []
        if isReadable { permissions.insert(.read) }
        if isWritable { permissions.insert(.write) }
        return permissions
    }
}
