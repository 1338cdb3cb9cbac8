import BlueZSimulator
import CoreBlueZ
import FoundationEssentials

/// The declaration of a local service.
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

/// The declaration of a local characteristic.
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
    /// The permissions, which bluetoothd checks.
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

extension LocalAdvertisement {
    /// Creates the advertisement that says the same as a simulated peripheral's, except for the transmit power, which
    /// the controller knows.
    package init(_ advertisement: AdvertisingData) {
        let data = advertisement.data
        self.init(localName: data.localName, serviceUUIDs: data.serviceUUIDs)
        isConnectable = advertisement.isConnectable
        isDiscoverable = advertisement.flags.map { $0 & 0x03 != 0 } ?? false
        manufacturerData = data.manufacturerData
        serviceData = data.serviceData
        structures = data.structures
        appearance = data.appearance
        includesTxPower = data.txPowerLevel != nil
    }
}
