import BlueZSimulator
import CoreBlueZ

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
    package init(_ specification: PeripheralSpecification) {
        let data = specification.advertisement
        self.init(localName: data.localName, serviceUUIDs: data.serviceUUIDs)
        isConnectable = specification.isConnectable
        isDiscoverable = data.flags?.first.map { $0 & 0x03 != 0 } ?? false
        manufacturerData = data.manufacturerData
        serviceData = data.serviceData
        structures = data.structures
        appearance = data.appearance
        includesTxPower = data.txPowerLevel != nil
    }
}
